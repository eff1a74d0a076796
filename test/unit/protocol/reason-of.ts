import { WireError } from "../../../protocol/index.ts";

/** The reason for which something is refused, or "accepted". Any other error is a mistake of ours. */
export function reasonOf(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    if (error instanceof WireError) return error.reason;
    throw error;
  }
  return "accepted";
}
