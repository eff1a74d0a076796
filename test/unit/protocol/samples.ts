import {
  type ClientFrame,
  encodeClientFrame,
  encodeEntities,
  encodeLedger,
  encodeRoom,
  encodeRows,
  encodeServerFrame,
  type LedgerRow,
  PROTOCOL_VERSION,
  type RosterFrame,
  type SnapshotFrame,
  STORAGE_VERSION,
  type StoredRoom,
  type StoredSeat,
  type WelcomeFrame,
} from "../../../protocol/index.ts";
import {
  angle,
  axis,
  defineGame,
  flag,
  fragment,
  held,
  int,
  num,
  oneOf,
  packCommand,
  press,
  QuantisedState,
  ref,
} from "../../../sim/index.ts";

/** A game with every kind of field and control. */
export const game = defineGame({
  name: "samples",
  version: 3,
  tickRate: 60,
  input: { moveX: axis(), moveY: axis(), aim: angle({ bits: 10 }), fire: press(), sprint: held() },
  fragments: {
    transform: fragment({
      x: num({ step: 1 / 256, rate: "motion.vx" }),
      y: num({ step: 1 / 256, rate: "motion.vy", min: -100, max: 100 }),
      heading: angle({ bits: 12 }),
    }),
    motion: fragment({ vx: num({ step: 1 / 256 }), vy: num({ step: 1 / 256 }) }),
    stats: fragment({
      health: int({ min: 0, max: 100, default: 100 }),
      score: int({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
      tired: flag(),
      mode: oneOf(["idle", "walk", "jump"]),
      target: ref(),
    }),
    shield: fragment({ strength: int({ min: 1, max: 5, default: 1 }) }),
  },
  archetypes: {
    player: { fragments: ["transform", "motion", "stats"], optional: ["shield"], predict: "owner" },
    stone: { fragments: ["transform", "motion"] },
  },
  systems: {},
});
export const { schema } = game;

const secret = Uint8Array.from({ length: 32 }, (_, i) => (i * 37 + 1) & 0xff);

export function command(i: number): Uint8Array {
  return packCommand(schema, { moveX: Math.sin(i), moveY: 1, aim: i / 7, fire: i % 5 === 0, sprint: true });
}

/** A few entities, a little further on with every tick. */
export function stateAt(tick: number): QuantisedState {
  const state = new QuantisedState(tick);
  for (let id = 1; id <= 6; id++) {
    const v = (id * 300) | 0;
    const x = id * 1000 + Math.round((v * tick) / 60);
    if (id % 3 === 0) state.push(id, 1, 1, 0, 3, [x, -x, id * 100, v, -v], 0, 5);
    else {
      const shield = id === 2 && tick > 30 ? 8 : 0;
      const values = [
        x,
        -50,
        (id * 100 + tick) & 4095,
        v,
        0,
        90,
        tick,
        tick & 1,
        id % 3,
        65_538,
        shield >> 2,
      ];
      state.push(id, 2, 0, id, 7 | shield, values, 0, 11);
    }
  }
  return state;
}

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
  missed: 70_000,
  slippedTicks: 80_000,
  echoMs: 0x89ab_cdef,
  heldMs: 65_535,
  seatRandom: 0xdead_beef,
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

export const serverFrames: Record<string, WelcomeFrame | SnapshotFrame | RosterFrame> = {
  welcome,
  "welcome without a name": { ...welcome, roomName: "" },
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
};

export function storedSeat(seat: number, outcomes: number): StoredSeat {
  return {
    seat,
    name: `Seat ${seat}`,
    kind: seat % 2 === 0 ? "bot" : "player",
    bot: seat % 2 === 0 ? "wander" : "",
    secretHash: seat % 2 === 0 ? new Uint8Array(0) : secret,
    inputSession: seat + 10,
    consumed: 1000 + seat,
    entity: 0x0002_0001,
    held: seat === 1 ? new Uint8Array(0) : command(seat),
    missedInARow: 3,
    missed: 44,
    connected: seat !== 1,
    droppedAtTick: seat === 1 ? 600 : 0,
    digests: Uint32Array.from({ length: outcomes }, (_, i) => 0xffff_ffff - i),
    dispositions: Uint8Array.from({ length: outcomes }, (_, i) => 1 + (i % 3)),
  };
}

export const storedRoom: StoredRoom = {
  formatVersion: STORAGE_VERSION,
  game: game.name,
  gameVersion: game.version,
  fingerprint: schema.fingerprint,
  commit: 41,
  tick: 123,
  incarnation: 2,
  nextSeat: 4,
  nextInputSession: 14,
  slippedTicks: 5,
  options: '{"map":"yard"}',
  world: Uint8Array.from({ length: 301 }, (_, i) => i & 0xff),
  hash: 0x8000_0000_0000_0001n,
  seats: [storedSeat(1, 3), storedSeat(2, 0), storedSeat(3, 8)],
};

export const ledgerRow: LedgerRow = {
  formatVersion: STORAGE_VERSION,
  commit: 41,
  fromTick: 120,
  toTick: 123,
  incarnation: 2,
  hash: 0x8000_0000_0000_0001n,
  sessions: [
    {
      seat: 1,
      inputSession: 11,
      entries: [
        { seq: 65_536, tick: 121, digest: 0xdead_beef, disposition: 1, bytes: command(1) },
        { seq: 65_537, tick: 122, digest: 1, disposition: 2, bytes: command(2) },
      ],
      missedTicks: [123],
    },
    { seat: 2, inputSession: 12, entries: [], missedTicks: [121, 122, 123] },
  ],
  joins: [2],
  leaves: [65_535],
};

/** Every frame and blob above in its encoded form, with the function that reads it. */
export const encoded = {
  client: Object.entries(clientFrames).map(([name, frame]) => ({
    name,
    bytes: encodeClientFrame(frame, schema),
  })),
  server: Object.entries(serverFrames).map(([name, frame]) => ({ name, bytes: encodeServerFrame(frame) })),
  state: { name: "state row", bytes: encodeRoom(storedRoom) },
  ledger: { name: "ledger row", bytes: encodeLedger(ledgerRow) },
};
