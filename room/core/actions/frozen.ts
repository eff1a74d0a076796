/**
 * Freezes a JSON value all through. What admission captured is handed to the game in many ticks: a change that
 * only memory has would be gone after a crash, and the room would go on differently.
 */
export function frozen(value: unknown): unknown {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const part of Object.values(value)) frozen(part);
  }
  return value;
}
