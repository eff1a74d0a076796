import {
  type ClientFrame,
  type CloseName,
  closeForWireError,
  decodeClientFrame,
  LIMITS,
  WireError,
} from "../../protocol/index.ts";
import type { CompiledSchema } from "../../sim/index.ts";

/** A client did what it must not: thrown where it is noticed, caught once, and ends only its connection. */
export class Refusal extends Error {
  readonly close: CloseName;
  /** Goes to the client behind the close code's own text. */
  readonly detail: string;

  constructor(close: CloseName, options: { readonly detail?: string; readonly cause?: unknown } = {}) {
    const { detail = "", cause } = options;
    super(`${close} ${detail}`, { cause });
    this.name = "Refusal";
    this.close = close;
    this.detail = detail;
  }
}

/** @throws Refusal for whatever is no frame of this game */
export function readFrame(data: ArrayBuffer | string, schema: CompiledSchema): ClientFrame {
  if (typeof data === "string") throw new Refusal("text-frame");
  // Before it is looked at: the size of a frame is the one thing that costs nothing to check.
  if (data.byteLength > LIMITS.frameBytesIn) throw new Refusal("frame-too-large");
  try {
    return decodeClientFrame(new Uint8Array(data), schema);
  } catch (cause) {
    if (!(cause instanceof WireError)) throw cause;
    throw new Refusal(closeForWireError(cause), { detail: cause.reason, cause });
  }
}
