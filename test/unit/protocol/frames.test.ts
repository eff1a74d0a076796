import { describe, expect, it } from "vitest";
import { ServerFrame as ServerRoot } from "../../../protocol/generated/frames.ts";
import { StateRow as StateRoot } from "../../../protocol/generated/storage.ts";
import {
  decodeClientFrame,
  decodeLedger,
  decodeRoom,
  decodeRows,
  decodeServerFrame,
  encodeClientFrame,
  encodeLedger,
  encodeRoom,
  encodeRows,
  encodeServerFrame,
  type HelloFrame,
  LIMITS,
  type RosterSeat,
  type SnapshotFrame,
  WireError,
} from "../../../protocol/index.ts";
import { createMessage } from "../../../protocol/message.ts";
import { clientFrames, serverFrames } from "./frame-samples.ts";
import { ledgerRow, storedRoom, storedSeat } from "./row-samples.ts";
import { game, schema } from "./samples.ts";

function reasonOf(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    if (error instanceof WireError) return error.reason;
    throw error;
  }
  return "accepted";
}

describe("frames", () => {
  for (const [name, frame] of Object.entries(clientFrames)) {
    it(`[W1] brings back a client's ${name}`, () => {
      expect(decodeClientFrame(encodeClientFrame(frame, schema), schema)).toEqual(frame);
    });
  }

  for (const [name, frame] of Object.entries(serverFrames)) {
    it(`[W1] brings back a server's ${name}`, () => {
      expect(decodeServerFrame(encodeServerFrame(frame))).toEqual(frame);
    });
  }

  it("[W1] saturates counters of a snapshot that 16 bits can't hold", () => {
    const frame = { ...serverFrames["snapshot of nothing"], bufferDepth: 1e6, heldMs: 1e6 } as SnapshotFrame;
    const decoded = decodeServerFrame(encodeServerFrame(frame));
    expect(decoded).toMatchObject({ bufferDepth: 65_535, heldMs: 65_535 });
  });

  it("[W1] brings back bytes that lie somewhere inside a larger buffer", () => {
    const frame = clientFrames["input with a run"] as (typeof clientFrames)[string];
    const bytes = encodeClientFrame(frame, schema);
    const larger = new Uint8Array(bytes.length + 11).fill(0xee);
    larger.set(bytes, 5);
    expect(decodeClientFrame(larger.subarray(5, 5 + bytes.length), schema)).toEqual(frame);
  });
});

describe("limits of frames", () => {
  const hello = clientFrames.hello as HelloFrame;

  it("[X1] takes a name of 24 characters and refuses one of 25, counting characters and not bytes", () => {
    const longest = "🦊".repeat(LIMITS.nameCodePoints.value);
    const decode = (name: string) => decodeClientFrame(encodeClientFrame({ ...hello, name }, schema), schema);
    expect(decode(longest)).toMatchObject({ name: longest });
    expect(reasonOf(() => decode(`${longest}a`))).toBe("bad-value");
  });

  it("[X1] takes a game name of 64 characters and refuses one of 65", () => {
    const decode = (name: string) =>
      decodeClientFrame(encodeClientFrame({ ...hello, game: name }, schema), schema);
    expect(decode("g".repeat(64))).toMatchObject({ game: "g".repeat(64) });
    expect(reasonOf(() => decode("g".repeat(65)))).toBe("bad-value");
  });

  it("[X1] refuses a client frame of more than 16 KiB before reading it", () => {
    const limit = LIMITS.frameBytesIn.value;
    expect(() => decodeClientFrame(new Uint8Array(limit + 1), schema)).toThrow("too-large: 16385 bytes");
    expect(reasonOf(() => decodeClientFrame(new Uint8Array(limit).fill(0xff), schema))).not.toBe("accepted");
  });

  it("[X1] takes a server frame of 256 KiB and refuses one a word longer", () => {
    const empty = { ...serverFrames["snapshot of nothing"] } as SnapshotFrame;
    const room = LIMITS.frameBytesOut.value - encodeServerFrame(empty).length;
    const largest = encodeServerFrame({ ...empty, shared: new Uint8Array(room) });
    expect(largest.length).toBe(LIMITS.frameBytesOut.value);
    expect(decodeServerFrame(largest)).toMatchObject({ type: "snapshot" });
    const tooLarge = encodeServerFrame({ ...empty, shared: new Uint8Array(room + 1) });
    expect(reasonOf(() => decodeServerFrame(tooLarge))).toBe("too-large");
  });

  it("[X1] names 256 seats in a roster and no more", () => {
    const seats: RosterSeat[] = Array.from({ length: 256 }, (_, i) => ({
      seat: i + 1,
      name: "n".repeat(24),
      kind: "bot",
      connected: true,
    }));
    const bytes = encodeServerFrame({ type: "roster", seats });
    expect(bytes.length).toBeLessThan(16_384);
    expect(decodeServerFrame(bytes)).toEqual({ type: "roster", seats });
    const one = seats.slice(0, 1);
    expect(() => encodeServerFrame({ type: "roster", seats: [...seats, ...one] })).toThrow(RangeError);
    const message = createMessage(100);
    message.initRoot(ServerRoot)._initRoster()._initSeats(257);
    const tooMany = new Uint8Array(message.toArrayBuffer());
    expect(() => decodeServerFrame(tooMany)).toThrow("257 seats");
  });

  it("[W3] refuses values that mean nothing, each with a typed error", () => {
    const refusals = [
      () => encodeClientFrame({ ...hello, nextSeq: 0 }, schema),
      () => encodeClientFrame({ type: "keyframe", requestId: 0 }, schema),
      () =>
        encodeClientFrame({ type: "input", inputSession: 0, sentAtMs: 0, ackTick: 0, commands: [] }, schema),
    ];
    for (const make of refusals) expect(reasonOf(() => decodeClientFrame(make(), schema))).toBe("bad-value");
    const snapshot = serverFrames["snapshot of nothing"] as SnapshotFrame;
    for (const odd of [{ incarnation: 0 }, { tick: 5, baseTick: 6 }]) {
      const bytes = encodeServerFrame({ ...snapshot, ...odd });
      expect(reasonOf(() => decodeServerFrame(bytes))).toBe("bad-value");
    }
  });

  it("refuses to send a secret of another size than 32 bytes", () => {
    expect(() => encodeClientFrame({ ...hello, secret: new Uint8Array(31) }, schema)).toThrow(RangeError);
  });
});

describe("exact rows", () => {
  const row = { id: 65_535, epoch: 0xffff_ffff, archetype: 0, owner: 65_535, presence: 15 };
  const cells = Uint32Array.from({ length: 11 }, (_, i) => 0xffff_ff00 + i);

  it("[R3] brings back every bit of a row, NaN patterns included", () => {
    const rows = [
      { ...row, cells },
      { ...row, id: 1, archetype: 1, presence: 3, cells: Uint32Array.of(0x7fc0_0001, 0x8000_0000, 0, 1, 2) },
    ];
    expect(decodeRows(schema, encodeRows(rows))).toEqual(rows);
    expect(decodeRows(schema, encodeRows([]))).toEqual([]);
  });

  it("[W3] refuses a row that the schema doesn't have", () => {
    const odd = [{ id: 0 }, { epoch: 0 }, { archetype: 2 }, { presence: 6 }, { presence: 31 }];
    for (const change of odd) {
      const bytes = encodeRows([{ ...row, cells, ...change }]);
      expect(reasonOf(() => decodeRows(schema, bytes))).toBe("bad-value");
    }
    const bytes = encodeRows([{ ...row, cells }]);
    for (let length = 1; length < bytes.length; length++) {
      expect(reasonOf(() => decodeRows(schema, bytes.subarray(0, length)))).toBe("truncated");
    }
  });
});

describe("stored rows", () => {
  it("[D1] brings back a room and a ledger row", () => {
    expect(decodeRoom(encodeRoom(storedRoom), game)).toEqual(storedRoom);
    expect(decodeRoom(encodeRoom({ ...storedRoom, seats: [] }), game)).toEqual({ ...storedRoom, seats: [] });
    expect(decodeLedger(encodeLedger(ledgerRow))).toEqual(ledgerRow);
    const empty = { ...ledgerRow, sessions: [], joins: [], leaves: [] };
    expect(decodeLedger(encodeLedger(empty))).toEqual(empty);
  });

  it("[X1] stores 256 outcomes per seat and no more", () => {
    const full = { ...storedRoom, seats: [storedSeat(5, LIMITS.outcomesPerSeat.value)] };
    expect(decodeRoom(encodeRoom(full), game)).toEqual(full);
    expect(() => encodeRoom({ ...storedRoom, seats: [storedSeat(5, 257)] })).toThrow(RangeError);
  });

  it("[X1] refuses to encode a state that storage wouldn't take", () => {
    const limit = LIMITS.storedStateBytes.value;
    const spare = limit - encodeRoom({ ...storedRoom, world: new Uint8Array(0) }).length;
    expect(encodeRoom({ ...storedRoom, world: new Uint8Array(spare) }).length).toBe(limit);
    expect(() => encodeRoom({ ...storedRoom, world: new Uint8Array(spare + 1) })).toThrow(RangeError);
  });

  it("[X1] loads 256 seats and refuses a row with one more", () => {
    const withSeats = (count: number) =>
      encodeRoom({ ...storedRoom, seats: Array.from({ length: count }, (_, i) => storedSeat(i + 1, 1)) });
    expect(decodeRoom(withSeats(256), game).seats).toHaveLength(256);
    expect(() => decodeRoom(withSeats(257), game)).toThrow("257 stored seats");
  });

  it("[D7] refuses a seat whose digests and dispositions don't match, instead of answering repeats wrongly", () => {
    const message = createMessage(1000);
    const root = message.initRoot(StateRoot);
    const { formatVersion, fingerprint } = storedRoom;
    Object.assign(root, { formatVersion, fingerprint, game: game.name, gameVersion: game.version });
    const seat = root._initSeats(1).get(0);
    seat.seat = 1;
    seat._initDigests(8);
    seat._initDispositions(3);
    expect(reasonOf(() => decodeRoom(new Uint8Array(message.toArrayBuffer()), game))).toBe("bad-value");
  });

  it("[D7] refuses another format version, whatever follows it", () => {
    for (const formatVersion of [0, 2, 65_535]) {
      const state = encodeRoom({ ...storedRoom, formatVersion });
      expect(reasonOf(() => decodeRoom(state, game))).toBe("stored-version");
      const ledger = encodeLedger({ ...ledgerRow, formatVersion });
      expect(reasonOf(() => decodeLedger(ledger))).toBe("stored-version");
    }
    // A format of the future: another layout behind the version.
    const other = encodeLedger({ ...ledgerRow, formatVersion: 9 });
    expect(reasonOf(() => decodeRoom(other, game))).toBe("stored-version");
  });

  it("[D7] refuses the state of another game, version or definition, and says which", () => {
    const bytes = encodeRoom(storedRoom);
    const others = [
      [{ ...game, name: "chess" }, /samples.*chess/],
      [{ ...game, version: 4 }, /version 3.*4/],
      [{ ...game, schema: { ...schema, fingerprint: 1n } }, /definition/],
    ] as const;
    for (const [other, words] of others) {
      expect(reasonOf(() => decodeRoom(bytes, other))).toBe("stored-game");
      expect(() => decodeRoom(bytes, other)).toThrow(words);
    }
  });
});
