// Made from frames.capnp by `npm run gen`.
import type { Layout, UnionLayout } from "../layout.ts";

export interface ClientFrame_hello {
  readonly type: "hello";
  readonly protocol: number;
  readonly gameVersion: number;
  readonly fingerprint: bigint;
  readonly inputSession: number;
  readonly nextSeq: number;
  readonly incarnation: number;
  readonly game: string;
  readonly secret: Uint8Array;
  readonly name: string;
  readonly oldestSeq: number;
}
export interface ClientFrame_input {
  readonly type: "input";
  readonly inputSession: number;
  readonly sentAtMs: number;
  readonly ackTick: number;
  readonly reference: number;
  readonly commands: Uint8Array;
}
export interface ClientFrame_keyframe {
  readonly type: "keyframe";
  readonly requestId: number;
}
export interface ClientFrame_leave {
  readonly type: "leave";
}
export interface ClientFrame_cursor {
  readonly type: "cursor";
  readonly session: number;
  readonly cursor: number;
  readonly baselineId: number;
}
export interface ClientFrame_fetch {
  readonly type: "fetch";
  readonly session: number;
  readonly from: number;
  readonly to: number;
}
export interface ClientFrame_baseline {
  readonly type: "baseline";
  readonly session: number;
  readonly cursor: number;
  readonly requestId: number;
}
export type ClientFrame = ClientFrame_hello | ClientFrame_input | ClientFrame_keyframe | ClientFrame_leave | ClientFrame_cursor | ClientFrame_fetch | ClientFrame_baseline;
export const ClientFrame: UnionLayout<ClientFrame> = {
  words: 5,
  pointers: 3,
  tagAt: 28,
  members: [
    ["hello", [
      ["protocol", 2, 0],
      ["gameVersion", 4, 4],
      ["fingerprint", 8, 8],
      ["inputSession", 4, 16],
      ["nextSeq", 4, 20],
      ["incarnation", 4, 24],
      ["game", "text", 0],
      ["secret", "data", 1],
      ["name", "text", 2],
      ["oldestSeq", 4, 32],
    ]],
    ["input", [
      ["inputSession", 4, 24],
      ["sentAtMs", 4, 0],
      ["ackTick", 4, 4],
      ["reference", 4, 8],
      ["commands", "data", 0],
    ]],
    ["keyframe", [
      ["requestId", 2, 24],
    ]],
    ["leave", [
    ]],
    ["cursor", [
      ["session", 4, 24],
      ["cursor", 4, 32],
      ["baselineId", 4, 0],
    ]],
    ["fetch", [
      ["session", 4, 24],
      ["from", 4, 32],
      ["to", 4, 0],
    ]],
    ["baseline", [
      ["session", 4, 24],
      ["cursor", 4, 32],
      ["requestId", 2, 0],
    ]],
  ],
};

export interface OpenSession {
  readonly session: number;
  readonly head: number;
}
export const OpenSession: Layout<OpenSession> = {
  words: 1,
  pointers: 0,
  fields: [
    ["session", 4, 0],
    ["head", 4, 4],
  ],
};

export interface RosterSeat {
  readonly seat: number;
  readonly kind: number;
  readonly connected: boolean;
  readonly name: string;
}
export const RosterSeat: Layout<RosterSeat> = {
  words: 1,
  pointers: 1,
  fields: [
    ["seat", 2, 0],
    ["kind", 2, 2],
    ["connected", 0, 32],
    ["name", "text", 0],
  ],
};

export interface Receipt {
  readonly number: number;
  readonly seq: number;
  readonly tick: number;
  readonly slot: number;
  readonly revision: number;
  readonly status: number;
  readonly reason: string;
  readonly result: string;
}
export const Receipt: Layout<Receipt> = {
  words: 2,
  pointers: 2,
  fields: [
    ["number", 4, 0],
    ["seq", 4, 4],
    ["tick", 4, 8],
    ["slot", 1, 12],
    ["revision", 1, 13],
    ["status", 2, 14],
    ["reason", "text", 0],
    ["result", "text", 1],
  ],
};

export interface Event {
  readonly tick: number;
  readonly kind: number;
  readonly except: number;
  readonly data: string;
}
export const Event: Layout<Event> = {
  words: 1,
  pointers: 1,
  fields: [
    ["tick", 4, 0],
    ["kind", 2, 4],
    ["except", 2, 6],
    ["data", "text", 0],
  ],
};

export interface ServerFrame_none {
  readonly type: "none";
}
export interface ServerFrame_snapshot {
  readonly type: "snapshot";
  readonly baseAge: number;
  readonly tick: number;
  readonly consumed: number;
  readonly echoMs: number;
  readonly inputSession: number;
  readonly heldMs: number;
  readonly bufferDepth: number;
  readonly incarnation: number;
  readonly randomChange: number;
  readonly moreMissed: number;
  readonly moreSlipped: number;
  readonly moreReceipts: number;
  readonly notDurable: number;
  readonly creditLess: number;
  readonly requestId: number;
  readonly own: Uint8Array;
  readonly shared: Uint8Array;
}
export interface ServerFrame_welcome {
  readonly type: "welcome";
  readonly protocol: number;
  readonly seat: number;
  readonly tickRate: number;
  readonly windowTicks: number;
  readonly incarnation: number;
  readonly tick: number;
  readonly inputSession: number;
  readonly consumed: number;
  readonly durable: number;
  readonly credit: number;
  readonly roomName: string;
  readonly receiptHead: number;
  readonly openSessions: readonly OpenSession[];
}
export interface ServerFrame_roster {
  readonly type: "roster";
  readonly seats: readonly RosterSeat[];
}
export interface ServerFrame_receipts {
  readonly type: "receipts";
  readonly session: number;
  readonly items: readonly Receipt[];
}
export interface ServerFrame_baseline {
  readonly type: "baseline";
  readonly requestId: number;
  readonly part: number;
  readonly parts: number;
  readonly session: number;
  readonly requestCursor: number;
  readonly baselineId: number;
  readonly covering: number;
  readonly items: readonly Receipt[];
}
export interface ServerFrame_session {
  readonly type: "session";
  readonly phase: number;
  readonly reason: number;
  readonly session: number;
  readonly finalConsumed: number;
  readonly opened: number;
}
export interface ServerFrame_resend {
  readonly type: "resend";
  readonly session: number;
  readonly from: number;
  readonly to: number;
}
export interface ServerFrame_events {
  readonly type: "events";
  readonly incarnation: number;
  readonly items: readonly Event[];
}
export interface ServerFrame_notice {
  readonly type: "notice";
  readonly inMs: number;
  readonly reason: string;
}
export type ServerFrame = ServerFrame_none | ServerFrame_snapshot | ServerFrame_welcome | ServerFrame_roster | ServerFrame_receipts | ServerFrame_baseline | ServerFrame_session | ServerFrame_resend | ServerFrame_events | ServerFrame_notice;
export const ServerFrame: UnionLayout<ServerFrame> = {
  words: 7,
  pointers: 2,
  tagAt: 0,
  members: [
    ["none", [
    ]],
    ["snapshot", [
      ["baseAge", 2, 2],
      ["tick", 4, 4],
      ["consumed", 4, 8],
      ["echoMs", 4, 12],
      ["inputSession", 4, 16],
      ["heldMs", 2, 20],
      ["bufferDepth", 2, 22],
      ["incarnation", 4, 24],
      ["randomChange", 4, 28],
      ["moreMissed", 4, 32],
      ["moreSlipped", 4, 36],
      ["moreReceipts", 4, 40],
      ["notDurable", 2, 44],
      ["creditLess", 2, 46],
      ["requestId", 2, 48],
      ["own", "data", 0],
      ["shared", "data", 1],
    ]],
    ["welcome", [
      ["protocol", 2, 2],
      ["seat", 2, 48],
      ["tickRate", 2, 4],
      ["windowTicks", 2, 6],
      ["incarnation", 4, 8],
      ["tick", 4, 12],
      ["inputSession", 4, 16],
      ["consumed", 4, 20],
      ["durable", 4, 24],
      ["credit", 4, 28],
      ["roomName", "text", 0],
      ["receiptHead", 4, 32],
      ["openSessions", OpenSession, 1],
    ]],
    ["roster", [
      ["seats", RosterSeat, 0],
    ]],
    ["receipts", [
      ["session", 4, 4],
      ["items", Receipt, 0],
    ]],
    ["baseline", [
      ["requestId", 2, 2],
      ["part", 2, 48],
      ["parts", 2, 4],
      ["session", 4, 8],
      ["requestCursor", 4, 12],
      ["baselineId", 4, 16],
      ["covering", 4, 20],
      ["items", Receipt, 0],
    ]],
    ["session", [
      ["phase", 2, 2],
      ["reason", 2, 48],
      ["session", 4, 4],
      ["finalConsumed", 4, 8],
      ["opened", 4, 12],
    ]],
    ["resend", [
      ["session", 4, 4],
      ["from", 4, 8],
      ["to", 4, 12],
    ]],
    ["events", [
      ["incarnation", 4, 4],
      ["items", Event, 0],
    ]],
    ["notice", [
      ["inMs", 4, 4],
      ["reason", "text", 0],
    ]],
  ],
};
