import * as LIMITS from "./limits.ts";

export { decodeClientFrame, encodeClientFrame } from "./client-frames.ts";
export {
  CLOSE,
  type CloseAction,
  type CloseName,
  closeAction,
  closeName,
  closeReason,
  NOT_AUTHORIZED,
} from "./close-codes.ts";
export { expandSeq } from "./commands.ts";
export { decodeEntities } from "./entity-decode.ts";
export { encodeEntities } from "./entity-encode.ts";
export { MotionWriter } from "./entity-motion.ts";
export { closeForWireError, WireError, type WireReason } from "./errors.ts";
export { eventsFrame } from "./event-frames.ts";
export {
  type BaselineFrame,
  type BaselineRequestFrame,
  type ClientFrame,
  type CommandEntry,
  type CursorFrame,
  type EventItem,
  type EventsFrame,
  type FetchFrame,
  type HelloFrame,
  type InputFrame,
  NO_ECHO,
  type NoticeFrame,
  type OpenSession,
  PROTOCOL_VERSION,
  type ReceiptsFrame,
  type ResendFrame,
  type RosterFrame,
  type RosterSeat,
  type ServerFrame,
  type SessionFrame,
  type SessionReason,
  type Snapshot,
  type SnapshotFrame,
  type WelcomeFrame,
} from "./frame-types.ts";
export { checkHello } from "./handshake.ts";
export {
  asIncarnation,
  asInputSession,
  asNetId,
  asSeatId,
  asSeq,
  asTick,
} from "./ids.ts";
export { fromJsonText, toJsonText } from "./json-text.ts";
export { baselineFrames, receiptFrames } from "./receipt-frames.ts";
export {
  isFinal,
  type Receipt,
  receiptReason,
} from "./receipts.ts";
export { decodeRows, type ExactRow, encodeRows } from "./rows.ts";
export { decodeServerFrame, encodeServerFrame } from "./server-frames.ts";
export { resolveSnapshot } from "./snapshot-frames.ts";
export {
  MAX_BASE_AGE,
  type PackedSection,
  packSection,
  SnapshotWriter,
  snapshotFrame,
} from "./snapshot-writer.ts";
export { decodeRoom, encodeRoom } from "./storage.ts";
export { decodeExport, encodeExport } from "./storage-export.ts";
export { decodeLedger, encodeLedger } from "./storage-ledger.ts";
export { decodeReceiptRow, encodeReceiptRow } from "./storage-receipt.ts";
export {
  type ActionOutcome,
  DISPOSITION,
  type LedgerAnswer,
  type LedgerEnd,
  type LedgerEntry,
  type LedgerFinish,
  type LedgerJoin,
  type LedgerLeave,
  type LedgerRejection,
  type LedgerRow,
  type LedgerSession,
  type ReceiptRow,
  type RoomExport,
  type SessionState,
  type SlotOutcome,
  STORAGE_VERSION,
  type StoredAction,
  type StoredDebt,
  type StoredPoses,
  type StoredRoom,
  type StoredSeat,
  type StoredSession,
} from "./storage-types.ts";

export { LIMITS };
