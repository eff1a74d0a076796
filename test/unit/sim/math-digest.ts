import { detMath } from "../../../sim/index.ts";

/** FNV-1a of the bits of many results: the same in every engine, or they aren't what they promise. */
export function mathDigest(): string {
  const { sin, cos, tan, atan, atan2, asin, acos, exp, log, pow, hypot } = detMath;
  const view = new DataView(new ArrayBuffer(8));
  let hash = 0x811c9dc5;
  const take = (value: number) => {
    view.setFloat64(0, value);
    for (let i = 0; i < 8; i++) hash = Math.imul(hash ^ view.getUint8(i), 0x01000193) >>> 0;
  };
  for (let i = -2000; i <= 2000; i++) {
    const x = (i * i * i) / 1_000_003;
    const share = i / 2000;
    for (const f of [sin, cos, tan, atan]) take(f(x));
    for (const f of [asin, acos]) take(f(share));
    take(atan2(x, share));
    take(exp(x / 20));
    take(log(x * x + share * share));
    take(pow(share * share, x / 1000));
    take(hypot(x, share, 3));
  }
  return hash.toString(16);
}

/** What it comes to. */
export const MATH_DIGEST = "33c52fa3";
