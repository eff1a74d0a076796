// Made from storage.capnp by `npm run gen`.
import type { Layout } from "../layout.ts";

export interface StoredSession {
  readonly inputSession: number;
  readonly state: number;
  readonly reason: number;
  readonly sinceTick: number;
  readonly consumed: number;
  readonly receiptHead: number;
  readonly confirmed: number;
  readonly reclaimed: number;
  readonly baselineId: number;
}
export const StoredSession: Layout<StoredSession> = {
  words: 4,
  pointers: 0,
  fields: [
    ["inputSession", 4, 0],
    ["state", 2, 4],
    ["reason", 2, 6],
    ["sinceTick", 4, 8],
    ["consumed", 4, 12],
    ["receiptHead", 4, 16],
    ["confirmed", 4, 20],
    ["reclaimed", 4, 24],
    ["baselineId", 4, 28],
  ],
};

export interface StoredSeat {
  readonly seat: number;
  readonly isBot: boolean;
  readonly connected: boolean;
  readonly entity: number;
  readonly missedInARow: number;
  readonly missed: number;
  readonly droppedAtTick: number;
  readonly name: string;
  readonly bot: string;
  readonly secretHash: Uint8Array;
  readonly held: Uint8Array;
  readonly digests: Uint8Array;
  readonly dispositions: Uint8Array;
  readonly sessions: readonly StoredSession[];
}
export const StoredSeat: Layout<StoredSeat> = {
  words: 3,
  pointers: 7,
  fields: [
    ["seat", 2, 0],
    ["isBot", 0, 16],
    ["connected", 0, 17],
    ["entity", 4, 4],
    ["missedInARow", 4, 8],
    ["missed", 4, 12],
    ["droppedAtTick", 4, 16],
    ["name", "text", 0],
    ["bot", "text", 1],
    ["secretHash", "data", 2],
    ["held", "data", 3],
    ["digests", "data", 4],
    ["dispositions", "data", 5],
    ["sessions", StoredSession, 6],
  ],
};

export interface StoredAction {
  readonly session: number;
  readonly seq: number;
  readonly admittedTick: number;
  readonly deadlineTick: number;
  readonly seat: number;
  readonly slot: number;
  readonly revision: number;
  readonly params: Uint8Array;
  readonly capture: string;
  readonly answer: string;
}
export const StoredAction: Layout<StoredAction> = {
  words: 3,
  pointers: 3,
  fields: [
    ["session", 4, 0],
    ["seq", 4, 4],
    ["admittedTick", 4, 8],
    ["deadlineTick", 4, 12],
    ["seat", 2, 16],
    ["slot", 1, 18],
    ["revision", 1, 19],
    ["params", "data", 0],
    ["capture", "text", 1],
    ["answer", "text", 2],
  ],
};

export interface StoredPoses {
  readonly tick: number;
  readonly section: Uint8Array;
}
export const StoredPoses: Layout<StoredPoses> = {
  words: 1,
  pointers: 1,
  fields: [
    ["tick", 4, 0],
    ["section", "data", 0],
  ],
};

export interface StoredDebt {
  readonly session: number;
  readonly seq: number;
  readonly seat: number;
  readonly slot: number;
  readonly outcome: number;
  readonly params: Uint8Array;
  readonly capture: string;
}
export const StoredDebt: Layout<StoredDebt> = {
  words: 2,
  pointers: 2,
  fields: [
    ["session", 4, 0],
    ["seq", 4, 4],
    ["seat", 2, 8],
    ["slot", 1, 10],
    ["outcome", 2, 12],
    ["params", "data", 0],
    ["capture", "text", 1],
  ],
};

export interface StateRow {
  readonly formatVersion: number;
  readonly gameVersion: number;
  readonly fingerprint: bigint;
  readonly hash: bigint;
  readonly commit: number;
  readonly tick: number;
  readonly incarnation: number;
  readonly nextInputSession: number;
  readonly slippedTicks: number;
  readonly nextSeat: number;
  readonly game: string;
  readonly options: string;
  readonly world: Uint8Array;
  readonly seats: readonly StoredSeat[];
  readonly pending: readonly StoredAction[];
  readonly poses: readonly StoredPoses[];
  readonly debts: readonly StoredDebt[];
}
export const StateRow: Layout<StateRow> = {
  words: 6,
  pointers: 7,
  fields: [
    ["formatVersion", 2, 0],
    ["gameVersion", 4, 4],
    ["fingerprint", 8, 8],
    ["hash", 8, 16],
    ["commit", 4, 24],
    ["tick", 4, 28],
    ["incarnation", 4, 32],
    ["nextInputSession", 4, 36],
    ["slippedTicks", 4, 40],
    ["nextSeat", 2, 2],
    ["game", "text", 0],
    ["options", "text", 1],
    ["world", "data", 2],
    ["seats", StoredSeat, 3],
    ["pending", StoredAction, 4],
    ["poses", StoredPoses, 5],
    ["debts", StoredDebt, 6],
  ],
};

export interface ReceiptRow {
  readonly formatVersion: number;
  readonly seat: number;
  readonly session: number;
  readonly number: number;
  readonly seq: number;
  readonly tick: number;
  readonly committedTick: number;
  readonly slot: number;
  readonly revision: number;
  readonly status: number;
  readonly reason: string;
  readonly result: string;
}
export const ReceiptRow: Layout<ReceiptRow> = {
  words: 4,
  pointers: 2,
  fields: [
    ["formatVersion", 2, 0],
    ["seat", 2, 2],
    ["session", 4, 4],
    ["number", 4, 8],
    ["seq", 4, 12],
    ["tick", 4, 16],
    ["committedTick", 4, 20],
    ["slot", 1, 24],
    ["revision", 1, 25],
    ["status", 2, 26],
    ["reason", "text", 0],
    ["result", "text", 1],
  ],
};

export interface SlotOutcome {
  readonly slot: number;
  readonly admitted: boolean;
  readonly reason: string;
  readonly byRoom: boolean;
  readonly rewoundTick: number;
  readonly rewoundPart: number;
}
export const SlotOutcome: Layout<SlotOutcome> = {
  words: 1,
  pointers: 1,
  fields: [
    ["slot", 1, 0],
    ["admitted", 0, 8],
    ["reason", "text", 0],
    ["byRoom", 0, 9],
    ["rewoundTick", 4, 4],
    ["rewoundPart", 1, 2],
  ],
};

export interface LedgerEntry {
  readonly seq: number;
  readonly tick: number;
  readonly digest: number;
  readonly disposition: number;
  readonly bytes: Uint8Array;
  readonly actions: readonly SlotOutcome[];
}
export const LedgerEntry: Layout<LedgerEntry> = {
  words: 2,
  pointers: 2,
  fields: [
    ["seq", 4, 0],
    ["tick", 4, 4],
    ["digest", 4, 8],
    ["disposition", 1, 12],
    ["bytes", "data", 0],
    ["actions", SlotOutcome, 1],
  ],
};

export interface LedgerSession {
  readonly seat: number;
  readonly inputSession: number;
  readonly entries: readonly LedgerEntry[];
  readonly missedTicks: Uint8Array;
}
export const LedgerSession: Layout<LedgerSession> = {
  words: 1,
  pointers: 2,
  fields: [
    ["seat", 2, 0],
    ["inputSession", 4, 4],
    ["entries", LedgerEntry, 0],
    ["missedTicks", "data", 1],
  ],
};

export interface LedgerJoin {
  readonly seat: number;
  readonly isBot: boolean;
  readonly tick: number;
  readonly name: string;
}
export const LedgerJoin: Layout<LedgerJoin> = {
  words: 1,
  pointers: 1,
  fields: [
    ["seat", 2, 0],
    ["isBot", 0, 16],
    ["tick", 4, 4],
    ["name", "text", 0],
  ],
};

export interface LedgerLeave {
  readonly seat: number;
  readonly tick: number;
}
export const LedgerLeave: Layout<LedgerLeave> = {
  words: 1,
  pointers: 0,
  fields: [
    ["seat", 2, 0],
    ["tick", 4, 4],
  ],
};

export interface LedgerAnswer {
  readonly session: number;
  readonly seq: number;
  readonly tick: number;
  readonly slot: number;
  readonly answer: string;
}
export const LedgerAnswer: Layout<LedgerAnswer> = {
  words: 2,
  pointers: 1,
  fields: [
    ["session", 4, 0],
    ["seq", 4, 4],
    ["tick", 4, 8],
    ["slot", 1, 12],
    ["answer", "text", 0],
  ],
};

export interface LedgerEnd {
  readonly seat: number;
  readonly reason: number;
  readonly session: number;
  readonly finalConsumed: number;
  readonly opened: number;
  readonly tick: number;
}
export const LedgerEnd: Layout<LedgerEnd> = {
  words: 3,
  pointers: 0,
  fields: [
    ["seat", 2, 0],
    ["reason", 2, 2],
    ["session", 4, 4],
    ["finalConsumed", 4, 8],
    ["opened", 4, 12],
    ["tick", 4, 16],
  ],
};

export interface LedgerRejection {
  readonly kind: number;
  readonly seat: number;
  readonly slot: number;
  readonly tick: number;
  readonly session: number;
  readonly seq: number;
}
export const LedgerRejection: Layout<LedgerRejection> = {
  words: 3,
  pointers: 0,
  fields: [
    ["kind", 2, 0],
    ["seat", 2, 2],
    ["slot", 1, 4],
    ["tick", 4, 8],
    ["session", 4, 12],
    ["seq", 4, 16],
  ],
};

export interface LedgerFinish {
  readonly session: number;
  readonly seq: number;
  readonly tick: number;
  readonly slot: number;
  readonly outcome: number;
}
export const LedgerFinish: Layout<LedgerFinish> = {
  words: 2,
  pointers: 0,
  fields: [
    ["session", 4, 0],
    ["seq", 4, 4],
    ["tick", 4, 8],
    ["slot", 1, 12],
    ["outcome", 2, 14],
  ],
};

export interface LedgerRow {
  readonly formatVersion: number;
  readonly commit: number;
  readonly fromTick: number;
  readonly toTick: number;
  readonly incarnation: number;
  readonly hash: bigint;
  readonly sessions: readonly LedgerSession[];
  readonly joins: readonly LedgerJoin[];
  readonly leaves: readonly LedgerLeave[];
  readonly answers: readonly LedgerAnswer[];
  readonly ended: readonly LedgerEnd[];
  readonly rejected: readonly LedgerRejection[];
  readonly finished: readonly LedgerFinish[];
  readonly boundaries: Uint8Array;
  readonly game: string;
  readonly gameVersion: number;
  readonly fingerprint: bigint;
}
export const LedgerRow: Layout<LedgerRow> = {
  words: 5,
  pointers: 9,
  fields: [
    ["formatVersion", 2, 0],
    ["commit", 4, 4],
    ["fromTick", 4, 8],
    ["toTick", 4, 12],
    ["incarnation", 4, 16],
    ["hash", 8, 24],
    ["sessions", LedgerSession, 0],
    ["joins", LedgerJoin, 1],
    ["leaves", LedgerLeave, 2],
    ["answers", LedgerAnswer, 3],
    ["ended", LedgerEnd, 4],
    ["rejected", LedgerRejection, 5],
    ["finished", LedgerFinish, 8],
    ["boundaries", "data", 7],
    ["game", "text", 6],
    ["gameVersion", 4, 20],
    ["fingerprint", 8, 32],
  ],
};

export interface ExportedRow {
  readonly row: Uint8Array;
}
export const ExportedRow: Layout<ExportedRow> = {
  words: 0,
  pointers: 1,
  fields: [
    ["row", "data", 0],
  ],
};

export interface RoomExport {
  readonly formatVersion: number;
  readonly roomName: string;
  readonly checkpoints: readonly ExportedRow[];
  readonly ledger: readonly ExportedRow[];
}
export const RoomExport: Layout<RoomExport> = {
  words: 1,
  pointers: 3,
  fields: [
    ["formatVersion", 2, 0],
    ["roomName", "text", 0],
    ["checkpoints", ExportedRow, 1],
    ["ledger", ExportedRow, 2],
  ],
};
