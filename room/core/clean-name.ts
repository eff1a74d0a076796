import { LIMITS } from "../../protocol/index.ts";

/**
 * A display name that can be drawn in one line: no control or formatting characters (one that turns the
 * text's direction would garble every roster), single spaces, cut to the limit by whole code points.
 */
export function cleanName(name: string): string {
  const visible = name
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}]/gu, "")
    .replace(/\s+/gu, " ")
    .trim();
  const cut = [...visible].slice(0, LIMITS.nameCodePoints).join("").trim();
  return cut === "" ? "Player" : cut;
}
