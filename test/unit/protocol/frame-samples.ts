import {
  type BaselineFrame,
  type ClientFrame,
  encodeEntities,
  encodeRows,
  PROTOCOL_VERSION,
  type Receipt,
  type ReceiptsFrame,
  type ResendFrame,
  type RosterFrame,
  type ServerFrame,
  type SessionFrame,
  type SnapshotFrame,
  type WelcomeFrame,
} from "../../../protocol/index.ts";
import { QuantisedState } from "../../../sim/index.ts";
import { command, game, schema, secret, stateAt } from "./samples.ts";

export const clientFrames: Record<string, ClientFrame> = {
  hello: {
    type: "hello",
    protocol: PROTOCOL_VERSION,
    game: game.name,
    gameVersion: game.version,
    fingerprint: schema.fingerprint,
    secret,
    name: "Ada 🦊",
    inputSession: 0,
    nextSeq: 1,
    oldestSeq: 1,
    incarnation: 0,
  },
  "hello of a resuming client": {
    type: "hello",
    protocol: PROTOCOL_VERSION,
    game: game.name,
    gameVersion: game.version,
    fingerprint: 0xfedc_ba98_7654_3210n,
    secret,
    name: "",
    inputSession: 0xffff_fffe,
    nextSeq: 0xffff_ffff,
    oldestSeq: 0xffff_ffc0,
    incarnation: 7,
  },
  "input without commands": { type: "input", inputSession: 4, sentAtMs: 0, ackTick: 0, commands: [] },
  "input with a run": {
    type: "input",
    inputSession: 4,
    sentAtMs: 0xffff_ffff,
    ackTick: 123_456,
    commands: [1, 2, 3, 4].map((i) => ({ seq: 65_533 + i, bytes: command(i >> 1) })),
  },
  "input with repeats and gaps": {
    type: "input",
    inputSession: 4,
    sentAtMs: 5,
    ackTick: 9,
    commands: [900, 901, 905, 870].map((seq) => ({ seq, bytes: command(seq) })),
  },
  keyframe: { type: "keyframe", requestId: 65_535 },
  leave: { type: "leave" },
  cursor: { type: "cursor", session: 12, cursor: 70_000, baselineId: 0xffff_ffff },
  "cursor at the beginning": { type: "cursor", session: 0xffff_ffff, cursor: 0, baselineId: 0 },
  fetch: { type: "fetch", session: 12, from: 70_001, to: 70_256 },
  "baseline request": { type: "baseline", session: 11, cursor: 0xffff_ffff, requestId: 65_535 },
};

const welcome: WelcomeFrame = {
  type: "welcome",
  protocol: PROTOCOL_VERSION,
  seat: 17,
  incarnation: 3,
  tick: 4_000_000_000,
  tickRate: 60,
  windowTicks: 3,
  inputSession: 12,
  consumed: 99,
  durable: 98,
  credit: 227,
  roomName: "arena:lobby",
  receiptHead: 0xffff_ffff,
  openSessions: [
    { session: 11, head: 70_000 },
    { session: 4, head: 0 },
  ],
};

const snapshot: SnapshotFrame = {
  type: "snapshot",
  tick: 63,
  baseTick: 60,
  requestId: 0,
  incarnation: 3,
  inputSession: 12,
  consumed: 0xffff_fffe,
  durable: 0xffff_fff0,
  credit: 0xffff_ffff,
  bufferDepth: 2,
  moreMissed: 70_000,
  moreSlipped: 80_000,
  echoMs: 0x89ab_cdef,
  heldMs: 65_535,
  randomChange: 0xdead_beef,
  moreReceipts: 0x7654_3210,
  shared: encodeEntities(schema, stateAt(60), stateAt(63)),
  own: encodeRows([
    { id: 5, epoch: 2, archetype: 0, owner: 5, presence: 15, cells: new Uint32Array(11).fill(0xbf80_0001) },
  ]),
};

const roster: RosterFrame = {
  type: "roster",
  seats: [
    { seat: 1, name: "Ada", kind: "player", connected: true },
    { seat: 2, name: "", kind: "player", connected: false },
    { seat: 65_535, name: "Wänderer", kind: "bot", connected: true },
  ],
};

/** One receipt of each status. */
export const receipts: readonly Receipt[] = [
  {
    number: 1,
    session: 12,
    seq: 17,
    slot: 0,
    revision: 1,
    status: "admitted",
    reason: "",
    result: null,
    tick: 600,
  },
  {
    number: 2,
    session: 12,
    seq: 17,
    slot: 1,
    revision: 1,
    status: "rejected",
    reason: "cooldown 🦊",
    result: null,
    tick: 600,
  },
  {
    number: 3,
    session: 12,
    seq: 17,
    slot: 0,
    revision: 2,
    status: "settled",
    reason: "",
    result: { hit: 5, at: [1.5, -2e-7], by: 'Ada " } 🦊', mended: null, list: [[[true]], {}] },
    tick: 604,
  },
  {
    number: 70_000,
    session: 12,
    seq: 0xffff_fffe,
    slot: 31,
    revision: 2,
    status: "timedOut",
    reason: "barrier",
    result: null,
    tick: 0xffff_ffff,
  },
  {
    number: 0xffff_ffff,
    session: 12,
    seq: 65_536,
    slot: 2,
    revision: 255,
    status: "settled",
    reason: "",
    result: null,
    tick: 0,
  },
];

const receiptsFrame: ReceiptsFrame = { type: "receipts", session: 12, items: receipts };

const baseline: BaselineFrame = {
  type: "baseline",
  requestId: 65_535,
  session: 12,
  requestCursor: 69_999,
  baselineId: 0xffff_fffe,
  covering: 70_000,
  part: 2,
  parts: 3,
  items: receipts.slice(1, 4),
};

const closing: SessionFrame = {
  type: "session",
  phase: "closing",
  session: 12,
  reason: "gap",
  finalConsumed: 0,
  opened: 0,
};

const resend: ResendFrame = { type: "resend", session: 12, from: 0xffff_ff80, to: 0xffff_ffff };

export const serverFrames: Record<string, Exclude<ServerFrame, { type: "unknown" }>> = {
  welcome,
  "welcome without a name": { ...welcome, roomName: "", openSessions: [] },
  "snapshot difference": snapshot,
  "snapshot keyframe": {
    ...snapshot,
    baseTick: 0,
    requestId: 7,
    shared: encodeEntities(schema, QuantisedState.empty(), stateAt(63)),
    own: new Uint8Array(0),
  },
  "snapshot of nothing": { ...snapshot, shared: new Uint8Array(0), own: new Uint8Array(0), heldMs: 0 },
  roster,
  "roster of nobody": { type: "roster", seats: [] },
  receipts: receiptsFrame,
  "no receipts": { ...receiptsFrame, items: [] },
  baseline,
  "empty baseline": { ...baseline, requestCursor: 0, covering: 0, part: 1, parts: 1, items: [] },
  "closing session": closing,
  "closed session": {
    ...closing,
    phase: "closed",
    reason: "digest-mismatch",
    finalConsumed: 0xffff_fffe,
    opened: 0xffff_ffff,
  },
  "session of a seat that left": { ...closing, phase: "closed", reason: "left", finalConsumed: 4 },
  resend,
  notice: { type: "notice", inMs: 30_000, reason: "back in ten minutes" },
  events: {
    type: "events",
    incarnation: 0xffff_ffff,
    items: [
      { tick: 600, kind: 0, except: 0, data: '{"x":1.5,"by":"Ada 🦊"}' },
      { tick: 0xffff_ffff, kind: 255, except: 0xffff, data: "null" },
    ],
  },
};
