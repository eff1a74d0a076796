import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SESSION_REASON } from "../../../protocol/frame-types.ts";
import { ServerFrame as ServerRoot } from "../../../protocol/generated/frames.ts";
import {
  decodeClientFrame,
  decodeRows,
  decodeServerFrame,
  encodeClientFrame,
  encodeRows,
  encodeServerFrame,
  type HelloFrame,
  LIMITS,
  packSection,
  type RosterSeat,
  resolveSnapshot,
  type SessionFrame,
  type SnapshotFrame,
  SnapshotWriter,
  snapshotFrame,
  type WelcomeFrame,
} from "../../../protocol/index.ts";
import { writeMessage } from "../../../protocol/message-writer.ts";
import { pack, unpack } from "../../../protocol/packing.ts";
import { snapshotRecord } from "../../../protocol/snapshot-writer.ts";
import { clientFrames, serverFrames } from "./frame-samples.ts";
import { reasonOf } from "./reason-of.ts";
import { schema } from "./samples.ts";

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

const unpackedLength = (bytes: Uint8Array) => unpack(bytes, 1 << 20).length;

describe("limits of frames", () => {
  const hello = clientFrames.hello as HelloFrame;

  it("[X1] takes a name of 24 characters and refuses one of 25, counting characters and not bytes", () => {
    const longest = "🦊".repeat(LIMITS.nameCodePoints);
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
    const limit = LIMITS.frameBytesIn;
    expect(() => decodeClientFrame(new Uint8Array(limit + 1), schema)).toThrow("too-large: 16385 bytes");
    expect(reasonOf(() => decodeClientFrame(new Uint8Array(limit).fill(0xff), schema))).not.toBe("accepted");
  });

  it("[X1] takes a server frame of 256 KiB and refuses one a word longer", () => {
    const empty = { ...serverFrames["snapshot of nothing"] } as SnapshotFrame;
    const room = LIMITS.frameBytesOut - unpackedLength(encodeServerFrame(empty));
    const largest = encodeServerFrame({ ...empty, shared: new Uint8Array(room) });
    expect(unpackedLength(largest)).toBe(LIMITS.frameBytesOut);
    expect(decodeServerFrame(largest)).toMatchObject({ type: "snapshot" });
    const tooLarge = encodeServerFrame({ ...empty, shared: new Uint8Array(room + 1) });
    expect(reasonOf(() => decodeServerFrame(tooLarge))).toBe("too-large");
  });

  it("[X1] names 800 seats in a roster and no more", () => {
    const seats: RosterSeat[] = Array.from({ length: 800 }, (_, i) => ({
      seat: i + 1,
      name: "n".repeat(24),
      kind: "bot",
      connected: true,
    }));
    const bytes = encodeServerFrame({ type: "roster", seats });
    expect(bytes.length).toBeLessThan(LIMITS.frameBytesOut / 4);
    expect(decodeServerFrame(bytes)).toEqual({ type: "roster", seats });
    const one = seats.slice(0, 1);
    expect(() => encodeServerFrame({ type: "roster", seats: [...seats, ...one] })).toThrow(RangeError);
    const crowd = Array.from({ length: 801 }, () => ({ seat: 1, name: "", kind: 0, connected: false }));
    const tooMany = pack(writeMessage(ServerRoot, { type: "roster", seats: crowd }));
    expect(() => decodeServerFrame(tooMany)).toThrow("801 seats");
  });

  it("[W3] refuses values that mean nothing, each with a typed error", () => {
    const refusals = [
      () => encodeClientFrame({ ...hello, nextSeq: 0 }, schema),
      () => encodeClientFrame({ ...hello, oldestSeq: 0 }, schema),
      () => encodeClientFrame({ ...hello, nextSeq: 7, oldestSeq: 8 }, schema),
      () => encodeClientFrame({ type: "keyframe", requestId: 0 }, schema),
      () => encodeClientFrame({ type: "cursor", session: 0, cursor: 1, baselineId: 0 }, schema),
      () => encodeClientFrame({ type: "fetch", session: 0, from: 1, to: 1 }, schema),
      () => encodeClientFrame({ type: "fetch", session: 1, from: 0, to: 1 }, schema),
      () => encodeClientFrame({ type: "fetch", session: 1, from: 3, to: 2 }, schema),
      () => encodeClientFrame({ type: "baseline", session: 0, cursor: 0, requestId: 1 }, schema),
      () => encodeClientFrame({ type: "baseline", session: 1, cursor: 0, requestId: 0 }, schema),
      () =>
        encodeClientFrame({ type: "input", inputSession: 0, sentAtMs: 0, ackTick: 0, commands: [] }, schema),
    ];
    for (const make of refusals) expect(reasonOf(() => decodeClientFrame(make(), schema))).toBe("bad-value");
    const snapshot = serverFrames["snapshot of nothing"] as SnapshotFrame;
    for (const odd of [{ incarnation: 0 }, { tick: 5, baseAge: 5 }, { consumed: 3, notDurable: 4 }]) {
      const bytes = pack(writeMessage(ServerRoot, { ...snapshotRecord(snapshot), ...odd }));
      expect(reasonOf(() => decodeServerFrame(bytes))).toBe("bad-value");
    }
  });

  it("[X1] asks for 256 receipts at once and for no more", () => {
    const fetch = (from: number, to: number) =>
      decodeClientFrame(encodeClientFrame({ type: "fetch", session: 1, from, to }, schema), schema);
    const top = 2 ** 32 - 1;
    expect(fetch(1, LIMITS.fetchRange)).toMatchObject({ from: 1, to: 256 });
    expect(fetch(top - 255, top)).toMatchObject({ to: top });
    expect(reasonOf(() => fetch(1, LIMITS.fetchRange + 1))).toBe("bad-value");
    expect(reasonOf(() => fetch(1, top))).toBe("bad-value");
  });

  it("[I9] asks again for as many commands as can wait, and for none that can't be", () => {
    const resend = (from: number, to: number, session = 1) =>
      decodeServerFrame(encodeServerFrame({ type: "resend", session, from, to }));
    expect(resend(17, 17)).toMatchObject({ from: 17, to: 17 });
    expect(resend(5, 4 + LIMITS.creditWindow)).toMatchObject({ to: 132 });
    expect(reasonOf(() => resend(5, 5 + LIMITS.creditWindow))).toBe("bad-value");
    expect(reasonOf(() => resend(0, 3))).toBe("bad-value");
    expect(reasonOf(() => resend(18, 17))).toBe("bad-value");
    expect(reasonOf(() => resend(17, 17, 0))).toBe("bad-value");
  });

  it("[S5] refuses an end of no session, and a successor that isn't newer or comes before the end", () => {
    const end = serverFrames["closed session"] as SessionFrame;
    const decode = (change: Partial<SessionFrame>) =>
      reasonOf(() => decodeServerFrame(encodeServerFrame({ ...end, session: 12, opened: 13, ...change })));
    expect(decode({})).toBe("accepted");
    expect(decode({ session: 0 })).toBe("bad-value");
    expect(decode({ opened: 12 })).toBe("bad-value");
    expect(decode({ opened: 11 })).toBe("bad-value");
    expect(decode({ phase: "closing" })).toBe("bad-value");
    expect(decode({ phase: "closing", opened: 0 })).toBe("accepted");
  });

  it("[S5] brings back every reason", () => {
    for (const reason of SESSION_REASON) {
      const frame: SessionFrame = { ...(serverFrames["closing session"] as SessionFrame), reason };
      expect(decodeServerFrame(encodeServerFrame(frame))).toEqual(frame);
    }
  });

  it("[A8] names the older sessions that a seat may have, each older than the present one", () => {
    const welcome = serverFrames.welcome as WelcomeFrame;
    const open = (count: number, from = 1) =>
      Array.from({ length: count }, (_, i) => ({ session: from + i, head: i }));
    const most = LIMITS.sessionsPerSeat - 1;
    const full = { ...welcome, inputSession: 100, openSessions: open(most) };
    expect(decodeServerFrame(encodeServerFrame(full))).toEqual(full);
    expect(() => encodeServerFrame({ ...full, openSessions: open(most + 1) })).toThrow(RangeError);
    const overfull = pack(writeMessage(ServerRoot, { ...full, openSessions: open(most + 1) }));
    expect(() => decodeServerFrame(overfull)).toThrow("older input sessions");
    for (const from of [0, 100]) {
      const odd = { ...full, openSessions: open(1, from) };
      expect(reasonOf(() => decodeServerFrame(encodeServerFrame(odd)))).toBe("bad-value");
    }
  });

  it("refuses to send a secret of another size than 32 bytes", () => {
    expect(() => encodeClientFrame({ ...hello, secret: new Uint8Array(31) }, schema)).toThrow(RangeError);
  });
});

describe("a room's snapshots", () => {
  const arbitraryRow = (cells: readonly number[]) => ({
    ...{ id: 5, epoch: 2, archetype: 0, owner: 5, presence: 15 },
    cells: Uint32Array.from(cells),
  });
  const u32 = fc.oneof(fc.constant(0), fc.nat(300), fc.integer({ min: 0, max: 0xffff_ffff }));
  const row = fc.array(u32, { minLength: 14, maxLength: 14 }).map(arbitraryRow);
  const anySnapshot = fc.record({
    tick: fc.integer({ min: 70_000, max: 0xffff_ffff }),
    incarnation: fc.integer({ min: 1, max: 0xffff_ffff }),
    inputSession: u32,
    consumed: fc.integer({ min: 300, max: 0xffff_ff00 }),
    bufferDepth: fc.nat(65_535),
    missed: u32,
    slippedTicks: u32,
    echoMs: u32,
    heldMs: fc.nat(65_535),
    seatRandom: u32,
    receiptHead: u32,
    requestId: fc.nat(65_535),
    own: fc.array(row, { maxLength: 1 }),
  });

  it("[W1][R4] are written by hand as the schema has them, for any base", () => {
    const writer = new SnapshotWriter();
    const any = fc.tuple(anySnapshot, fc.option(anySnapshot), fc.integer({ min: 1, max: 65_535 }));
    fc.assert(
      fc.property(any, fc.uint8Array({ maxLength: 40 }), fc.nat(255), ([now, before, age], shared, less) => {
        const marks = { durable: now.consumed - less, credit: now.consumed + 128 - (less & 127) };
        const snapshot = { ...now, ...marks };
        const base = before ? { ...before, ...marks, tick: now.tick - age } : undefined;
        const written = writer.write(snapshot, base, packSection(shared));
        const frame = snapshotFrame(snapshot, base, shared);
        expect(decodeServerFrame(written)).toEqual(frame);
        expect(decodeServerFrame(encodeServerFrame(frame))).toEqual(frame);
        expect(resolveSnapshot(schema, frame, base)).toMatchObject(snapshot);
      }),
    );
  });

  it("[R4] take 30 bytes beside their data when little has changed", () => {
    const now = { incarnation: 1, inputSession: 1, durable: 70_003, credit: 70_131, bufferDepth: 2 };
    const same = {
      missed: 17,
      slippedTicks: 0,
      seatRandom: 0xdead_beef,
      receiptHead: 9,
      requestId: 0,
      own: [],
    };
    const base = { ...now, ...same, tick: 90_000, consumed: 70_000, echoMs: 0x1234_5678, heldMs: 20 };
    const snapshot = { ...base, tick: 90_003, consumed: 70_003, echoMs: 0x1234_5699 };
    const bytes = new SnapshotWriter().write(snapshot, base, packSection(new Uint8Array(0)));
    expect(bytes.length).toBeLessThanOrEqual(30);
  });
});

describe("exact rows", () => {
  const row = { id: 65_535, epoch: 0xffff_ffff, archetype: 0, owner: 65_535, presence: 15 };
  const cells = Uint32Array.from({ length: 14 }, (_, i) => 0xffff_ff00 + i);

  it("[R3] brings back every bit of a row, NaN patterns included", () => {
    const rows = [
      { ...row, cells },
      {
        ...row,
        id: 1,
        archetype: 1,
        presence: 3,
        cells: Uint32Array.of(0x7fc0_0001, 0x8000_0000, 0, 1, 2, 3),
      },
    ];
    expect(decodeRows(schema, encodeRows(rows))).toEqual(rows);
    expect(decodeRows(schema, encodeRows([]))).toEqual([]);
    const moved = rows.map((one) => ({ ...one, cells: one.cells.map((cell, i) => cell + (i % 2)) }));
    const difference = encodeRows(moved.toReversed(), rows);
    expect(decodeRows(schema, difference, rows)).toEqual(moved.toReversed());
    expect(difference.length).toBeLessThan(encodeRows(moved).length / 4);
    expect(reasonOf(() => decodeRows(schema, difference, rows.slice(1)))).toBe("wrong-base");
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
