/**
 * Functions that give the same bits in every engine: `Math.sin`, `exp`, `pow` and the like may differ in the last one,
 * and then a page is corrected and a replay elsewhere parts from the room. These use only +, −, ×, ÷ and square roots,
 * which IEEE 754 rounds correctly, in a fixed order.
 *
 * Each is a Taylor series on an interval that is so short that the rest is below 1e-16. Within 1e-13 of the true
 * value, relative to it or to 1, whichever is larger, for arguments up to a million.
 */

/** π/2 as the sum of two numbers, the first with 33 bits, so that its multiples up to 2²⁰ are exact (Cody and Waite, 1980). */
const HALF_PI_HIGH = 1.5707963267341256;
const HALF_PI_LOW = 6.077100506506192e-11;
const HALF_PI = 1.5707963267948966;
/** ln 2 likewise. */
const LN2_HIGH = 0.6931471803691238;
const LN2_LOW = 1.9082149292705877e-10;
const MAX_HALF_TURNS = 1_048_576;

/** Σ aᵢ·xⁱ, from the highest power down. */
function polynomial(x: number, factors: readonly number[]): number {
  let sum = 0;
  for (let i = factors.length - 1; i >= 0; i--) sum = sum * x + (factors[i] as number);
  return sum;
}

/** 1/0!, −1/2!, 1/4!, … in powers of x². */
const COS = [1, -1 / 2, 1 / 24, -1 / 720, 1 / 40_320, -1 / 3_628_800, 1 / 479_001_600, -1 / 87_178_291_200];
/** 1/1!, −1/3!, 1/5!, … */
const SIN = [
  1,
  -1 / 6,
  1 / 120,
  -1 / 5_040,
  1 / 362_880,
  -1 / 39_916_800,
  1 / 6_227_020_800,
  -1 / 1_307_674_368_000,
];
/** 1/0!, 1/1!, 1/2!, … */
const EXP = [
  1,
  1,
  1 / 2,
  1 / 6,
  1 / 24,
  1 / 120,
  1 / 720,
  1 / 5_040,
  1 / 40_320,
  1 / 362_880,
  1 / 3_628_800,
  1 / 39_916_800,
  1 / 479_001_600,
  1 / 6_227_020_800,
];
/** 1, 1/3, 1/5, …: of artanh, and with changing signs of arctan. */
const ODD = Array.from({ length: 12 }, (_, i) => 1 / (2 * i + 1));
const ODD_ALTERNATING = ODD.map((factor, i) => (i % 2 === 0 ? factor : -factor));

/** Sine of quarter turns and the rest of the angle. */
function sineOf(quarters: number, rest: number): number {
  const square = rest * rest;
  const isCosine = quarters % 2 !== 0;
  const value = isCosine ? polynomial(square, COS) : rest * polynomial(square, SIN);
  // Modulo 4, of negative numbers too.
  return (quarters & 2) === 0 ? value : -value;
}

function turned(angle: number, by: number): number {
  const quarters = Math.round(angle / HALF_PI);
  if (!(Math.abs(quarters) <= MAX_HALF_TURNS)) {
    if (Number.isFinite(angle)) return turned(angle % (2 * Math.PI), by);
    return Number.NaN;
  }
  const rest = angle - quarters * HALF_PI_HIGH - quarters * HALF_PI_LOW;
  return sineOf(quarters + by, rest);
}

/** Sine of an angle in radians. */
export function sin(angle: number): number {
  return turned(angle, 0);
}

/** Cosine of an angle in radians. */
export function cos(angle: number): number {
  return turned(angle, 1);
}

/** Tangent of an angle in radians. */
export function tan(angle: number): number {
  return sin(angle) / cos(angle);
}

/** The angle in [−π/2, π/2] with this tangent. */
export function atan(tangent: number): number {
  if (Number.isNaN(tangent)) return tangent;
  if (tangent < 0) return -atan(-tangent);
  if (tangent > 1) return HALF_PI - atan(1 / tangent);
  // arctan x = 2·arctan(x / (1 + √(1 + x²))), twice: below tan(π/16) the series is short.
  const half = tangent / (1 + Math.sqrt(1 + tangent * tangent));
  const quarter = half / (1 + Math.sqrt(1 + half * half));
  return 4 * quarter * polynomial(quarter * quarter, ODD_ALTERNATING);
}

/** The angle in [−π, π] of the direction (x, y); 0 for no direction. */
export function atan2(y: number, x: number): number {
  if (Number.isNaN(x)) return x;
  if (x > 0) return atan(y / x);
  if (x < 0) return y < 0 ? atan(y / x) - Math.PI : atan(y / x) + Math.PI;
  if (y > 0) return HALF_PI;
  return y < 0 ? -HALF_PI : 0 * y;
}

/** The angle in [−π/2, π/2] with this sine. NaN beyond 1. */
export function asin(sine: number): number {
  return atan2(sine, Math.sqrt((1 - sine) * (1 + sine)));
}

/** The angle in [0, π] with this cosine. NaN beyond 1. */
export function acos(cosine: number): number {
  return atan2(Math.sqrt((1 - cosine) * (1 + cosine)), cosine);
}

/** Length of the vector (x, y, z). Infinite where a square is. */
export function hypot(x: number, y: number, z = 0): number {
  return Math.sqrt(x * x + y * y + z * z);
}

/** e to the power of x. */
export function exp(x: number): number {
  if (x > 709.8) return Number.POSITIVE_INFINITY;
  if (x < -745.2) return 0;
  const doublings = Math.round(x / Math.LN2);
  const rest = x - doublings * LN2_HIGH - doublings * LN2_LOW;
  // In two steps: 2¹⁰²⁴ alone is no number any more.
  const half = Math.trunc(doublings / 2);
  return polynomial(rest, EXP) * wholePower(2, half) * wholePower(2, doublings - half);
}

/** Natural logarithm. −∞ of 0, NaN below. */
export function log(x: number): number {
  if (!(x > 0) || x === Number.POSITIVE_INFINITY)
    return x === 0 ? Number.NEGATIVE_INFINITY : x > 0 ? x : Number.NaN;
  let mantissa = x;
  let doublings = 0;
  for (let step = 512; step >= 1; step /= 2) {
    const factor = wholePower(2, step);
    for (; mantissa >= factor; doublings += step) mantissa /= factor;
    for (; mantissa < 1 / factor; doublings -= step) mantissa *= factor;
  }
  if (mantissa > Math.SQRT2) {
    mantissa /= 2;
    doublings++;
  } else if (mantissa < Math.SQRT1_2) {
    mantissa *= 2;
    doublings--;
  }
  // ln x = 2·artanh((x − 1) / (x + 1))
  const ratio = (mantissa - 1) / (mantissa + 1);
  return doublings * LN2_HIGH + (doublings * LN2_LOW + 2 * ratio * polynomial(ratio * ratio, ODD));
}

/** x to the power of y. NaN for a negative x, unless y is whole. */
export function pow(x: number, y: number): number {
  if (Number.isInteger(y) && Math.abs(y) <= 1024) return wholePower(x, y);
  if (x === 0) return y > 0 ? 0 : Number.POSITIVE_INFINITY;
  return exp(y * log(x));
}

/** By squaring. */
function wholePower(x: number, y: number): number {
  let power = 1;
  let base = y < 0 ? 1 / x : x;
  for (let left = Math.abs(y); left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) power *= base;
    base *= base;
  }
  return power;
}
