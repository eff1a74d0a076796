import type { CloseName } from "./close-codes.ts";

/** Why bytes were refused. */
export type WireReason =
  /** They end too early. */
  | "truncated"
  /** Longer, deeper or more numerous than the limits allow. */
  | "too-large"
  /** Not a well-formed message: pointers, padding, text, sizes. */
  | "malformed"
  /** Well-formed, but a kind of frame that this side doesn't know. */
  | "unknown-frame"
  /** A field has a value that means nothing. */
  | "bad-value"
  /** A command's short number can't be expanded unambiguously. */
  | "seq-window"
  /** A difference names something that its base doesn't have. */
  | "wrong-base"
  /** Stored by a version that this one can't read. */
  | "stored-version"
  /** Stored by another game. */
  | "stored-game";

/** Bytes from outside that were refused: caught once per connection (or load), and ends only that. */
export class WireError extends Error {
  override readonly name = "WireError";
  readonly reason: WireReason;

  constructor(reason: WireReason, detail: string, options?: { cause: unknown }) {
    super(`${reason}: ${detail}`, options);
    this.reason = reason;
  }
}

/** The close code for a client's frame that was refused. */
export function closeForWireError(error: WireError): CloseName {
  switch (error.reason) {
    case "too-large":
      return "frame-too-large";
    case "seq-window":
      return "seq-window";
    default:
      return "bad-frame";
  }
}
