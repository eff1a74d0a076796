import type { CompiledSchema } from "../sim/index.ts";
import { WireError } from "./errors.ts";
import type { Snapshot, SnapshotFrame } from "./frame-types.ts";
import type { ServerFrame_snapshot } from "./generated/frames.ts";
import * as LIMITS from "./limits.ts";
import { decodeRows } from "./rows.ts";

export function snapshotOf(record: ServerFrame_snapshot): SnapshotFrame {
  const { baseAge, notDurable, creditLess, ...rest } = record;
  const { tick, consumed } = rest;
  if (rest.incarnation === 0) throw new WireError("bad-value", "a snapshot of no incarnation");
  if (baseAge >= tick && baseAge > 0) throw new WireError("bad-value", "a snapshot older than its base");
  if (notDurable > consumed) throw new WireError("bad-value", "more commands to store than were consumed");
  return {
    ...rest,
    baseTick: baseAge && tick - baseAge,
    durable: consumed - notDurable,
    credit: consumed + LIMITS.creditWindow - creditLess,
  };
}

/** The snapshot that a frame makes of the one that its `baseTick` names; of nothing if it is a keyframe. */
export function resolveSnapshot(schema: CompiledSchema, frame: SnapshotFrame, base?: Snapshot): Snapshot {
  const { randomChange, moreMissed, moreSlipped, moreReceipts } = frame;
  return {
    ...frame,
    seatRandom: ((base?.seatRandom ?? 0) ^ randomChange) >>> 0,
    missed: ((base?.missed ?? 0) + moreMissed) >>> 0,
    slippedTicks: ((base?.slippedTicks ?? 0) + moreSlipped) >>> 0,
    receiptHead: ((base?.receiptHead ?? 0) + moreReceipts) >>> 0,
    own: decodeRows(schema, frame.own, base?.own),
  };
}
