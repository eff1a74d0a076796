export { decodeClientFrame, encodeClientFrame } from "./client-frames.ts";
export {
  CLOSE,
  type CloseAction,
  type CloseName,
  closeAction,
  closeName,
  closeReason,
} from "./close-codes.ts";
export { expandSeq } from "./commands.ts";
export { decodeEntities } from "./entity-decode.ts";
export { encodeEntities } from "./entity-encode.ts";
export { closeForWireError, WireError, type WireReason } from "./errors.ts";
export {
  type ClientFrame,
  type CommandEntry,
  type HelloFrame,
  type InputFrame,
  NO_ECHO,
  PROTOCOL_VERSION,
  type RosterFrame,
  type RosterSeat,
  type ServerFrame,
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
export { LIMITS } from "./limits.ts";
export { decodeRows, type ExactRow, encodeRows } from "./rows.ts";
export { decodeServerFrame, encodeServerFrame } from "./server-frames.ts";
export { decodeLedger, decodeRoom, encodeLedger, encodeRoom } from "./storage.ts";
export {
  DISPOSITION,
  type LedgerEntry,
  type LedgerRow,
  type LedgerSession,
  STORAGE_VERSION,
  type StoredRoom,
  type StoredSeat,
} from "./storage-types.ts";
