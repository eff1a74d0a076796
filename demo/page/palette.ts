/** Night, ink and lantern light: everything on the stage is drawn from these. */
export const INK = {
  outside: "#070c18",
  outsideGrid: "#0c1324",
  floor: "#111b34",
  grid: "#15203c",
  cross: "#2b3d69",
  marking: "#22315a",
  roof: "#33446f",
  roofEdge: "#566ca6",
  sideLit: "#212e52",
  sideDark: "#18213f",
  shade: "rgba(3, 6, 14, 0.4)",
  platform: "#d9974a",
  platformStripe: "#b97a34",
  platformEdge: "#ffd59a",
  platformSide: "#6e4720",
  platformSideDark: "#523415",
  rail: "rgba(255, 190, 110, 0.28)",
  spark: "#ffe3a1",
  text: "#e6edff",
  textMuted: "#93a4cb",
  outline: "rgba(5, 9, 18, 0.85)",
} as const;

/** A colour of equal lightness for any hue, so that no player is harder to see than another. */
export function tint(hue: number, alpha = 1): string {
  return `oklch(0.8 0.135 ${hue + 20} / ${alpha})`;
}

/** What a light of that hue does to the floor: deeper than the lamp itself, or it would only look grey. */
export function lightTint(hue: number, alpha: number): string {
  return `oklch(0.72 0.17 ${hue + 20} / ${alpha})`;
}

export function deepTint(hue: number): string {
  return `oklch(0.58 0.14 ${hue + 20})`;
}

export function paleTint(hue: number): string {
  return `oklch(0.95 0.05 ${hue + 20})`;
}
