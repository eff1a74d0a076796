import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import {
  CLOSE,
  LIMITS,
  PROTOCOL_VERSION,
  STORAGE_VERSION,
  type WireReason,
} from "../../../protocol/index.ts";

const page = readFileSync(fileURLToPath(new URL("../../../docs/WIRE.md", import.meta.url)), "utf8");

function section(name: string): string {
  const [, rest = ""] = page.split(`<!-- ${name}: begin -->\n`);
  return rest.split(`<!-- ${name}: end -->`)[0] as string;
}

function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const lines = [head, head.map(() => "---"), ...rows];
  return lines.map((cells) => `| ${cells.join(" | ")} |\n`).join("");
}

describe("docs/WIRE.md", () => {
  it("[S4] lists every close code as it is", () => {
    const rows = Object.entries(CLOSE).map(([name, { code, action, reason }]) => [
      code,
      `\`${name}\``,
      action,
      reason,
    ]);
    expect(section("close codes")).toBe(table(["code", "name", "action", "reason"], rows));
  });

  it("[X1] lists every limit as it is", () => {
    const source = readFileSync(
      fileURLToPath(new URL("../../../protocol/limits.ts", import.meta.url)),
      "utf8",
    );
    const comments = [...source.matchAll(/\/\*\* ([^:\n]+): (.+) \*\/\nexport const (\w+) =/g)];
    expect(new Set(comments.map(([, , , name]) => name))).toEqual(new Set(Object.keys(LIMITS)));
    const rows = comments.map(([, unit, reason = "", name]) => [
      `\`${name}\``,
      `${LIMITS[name as keyof typeof LIMITS].toLocaleString("en")} ${unit}`,
      reason,
    ]);
    expect(section("limits")).toBe(table(["limit", "value", "reason"], rows));
  });

  it("[W2] names the versions that the code speaks", () => {
    expect(page).toContain(`Protocol version: **${PROTOCOL_VERSION}**`);
    expect(page).toContain(`Storage format version: **${STORAGE_VERSION}**`);
  });

  it("[W3] names every reason of refusal", () => {
    const reasons: Record<WireReason, true> = {
      truncated: true,
      "too-large": true,
      malformed: true,
      "unknown-frame": true,
      "bad-value": true,
      "seq-window": true,
      "wrong-base": true,
      "stored-version": true,
      "stored-game": true,
    };
    for (const reason of Object.keys(reasons)) expect(page).toContain(`\`${reason}\``);
  });

  it("[W1] names every field of every frame", () => {
    const schema = readFileSync(
      fileURLToPath(new URL("../../../protocol/frames.capnp", import.meta.url)),
      "utf8",
    );
    const names = [...schema.matchAll(/^\s+(\w+) (?:@\d+|:group)/gm)].map((match) => match[1] as string);
    expect(names.length).toBeGreaterThan(30);
    const enumerants = new Set(["player", "bot"]);
    for (const name of names) if (!enumerants.has(name)) expect(page).toContain(`\`${name}\``);
  });
});
