import { describe, expect, it } from "vitest";
import { decodeLedger } from "../../../protocol/index.ts";
import { LEDGER_SLOTS, type RoomHooks, replay } from "../../../room/core/index.ts";
import { commandDigest, packCommand } from "../../../sim/index.ts";
import { Rig, type RigOptions } from "./rig.ts";
import { FIRE, type Shooter, shooter } from "./shooter.ts";

const hooks: RoomHooks<Shooter> = { onJoin: (seat) => void seat.spawn("player") };
const STEP = { step: true };

function rig(options: RigOptions<Shooter> = {}) {
  const room = new Rig(shooter, { hooks, ...options });
  const ada = room.join(1);
  room.windows(1);
  return { room, ada };
}

describe("looking a command up", () => {
  it("[I10] tells its tick, digest and disposition, and what became of each of its actions", () => {
    const { room, ada } = rig();
    room.send(ada, ada.input([STEP, { ...STEP, calls: [{ slot: FIRE }] }]));
    room.windows(2);
    const digest = commandDigest(packCommand(shooter.schema, STEP));
    expect(room.core.lookup(1, 1)).toMatchObject({
      seat: 1,
      inputSession: 1,
      seq: 1,
      tick: 4,
      digest,
      disposition: 1,
      actions: [],
      durable: true,
      receipts: [],
    });
    expect(room.core.lookup(1, 2)).toMatchObject({
      tick: 5,
      actions: [{ slot: FIRE, disposition: "admitted", reason: "", byRoom: false, rewoundTick: 0 }],
      receipts: [
        { revision: 1, status: "admitted", tick: 5 },
        { revision: 2, status: "settled", tick: 7 },
      ],
    });
  });

  it("[I10] tells a rejection with its reason, also when the command is repeated later", () => {
    const { room, ada } = rig();
    for (let i = 0; i < 10; i++) room.send(ada, ada.input([{ calls: [{ slot: FIRE }] }]));
    room.windows(4);
    const rejected = room.core.lookup(1, 10);
    expect(rejected).toMatchObject({
      disposition: 1,
      actions: [{ slot: FIRE, disposition: "rejected", reason: "no-ammo", byRoom: false, rewoundTick: 0 }],
      receipts: [{ revision: 1, status: "rejected", reason: "no-ammo" }],
    });
    room.send(ada, ada.input([{ calls: [{ slot: FIRE }] }], { from: 10 }));
    room.windows(2);
    expect(room.core.lookup(1, 10)).toEqual(rejected);
    expect(ada.snapshot.consumed).toBe(10);
  });

  it("[D2] says of a command between commits that it isn't durable yet", () => {
    const { room, ada } = rig({ commitEvery: 4 });
    room.command(ada, STEP);
    room.windows(1);
    expect(room.core.lookup(1, 1)).toMatchObject({ tick: 4, durable: false });
    room.windows(3);
    expect(room.core.lookup(1, 1)).toMatchObject({ tick: 4, durable: true });
  });

  it("[D3] finds the same after a restart, and nothing of what was never consumed", () => {
    const { room, ada } = rig();
    room.send(ada, ada.input([{ calls: [{ slot: FIRE }] }]));
    room.windows(2);
    const before = room.core.lookup(1, 1);
    room.crash();
    expect(room.core.lookup(1, 1)).toEqual(before);
    expect(room.core.lookup(1, 2)).toBeUndefined();
    expect(room.core.lookup(2, 1)).toBeUndefined();
  });

  it("[D5] reaches as far back as the ring of rows", () => {
    const { room, ada } = rig();
    room.command(ada, STEP);
    room.windows(LEDGER_SLOTS);
    expect(room.core.lookup(1, 1)).toBeDefined();
    room.windows(1);
    expect(room.core.lookup(1, 1)).toBeUndefined();
  });
});

describe("the ring of ledger rows", () => {
  it("[D4][D5] always reaches back to the older checkpoint, however often the room commits", () => {
    const { room, ada } = rig({ windowTicks: 1, checkpointTicks: 6000 });
    for (let i = 0; i < 330; i++) {
      room.command(ada, STEP, STEP, STEP);
      room.windows(1);
    }
    const recorded = room.core.export();
    expect(recorded.checkpoints.length).toBe(2);
    expect(recorded.ledger.length).toBeGreaterThanOrEqual(LEDGER_SLOTS / 2);
    expect(recorded.ledger.length).toBeLessThanOrEqual(LEDGER_SLOTS);
    expect(decodeLedger(recorded.ledger.at(-1) as Uint8Array).toTick).toBe(room.core.tick);
    expect(replay({ game: shooter, hooks, recorded })).toMatchObject({ agree: true });
  });

  it("[D5] costs one more row per checkpoint, every ten seconds", () => {
    const { room } = rig();
    room.pass(10_000);
    const { rowsWritten, commits } = room.core.stats();
    // Two alarms were set without a commit: for the silent visitor, and for its hello.
    expect(rowsWritten - 3 * commits - 2).toBe(2);
  });

  it("[D7] of a room that begins anew holds nothing of the one before", () => {
    const { room, ada } = rig();
    room.command(ada, STEP);
    room.windows(30);
    const { store } = room;
    const next = { ...shooter, version: 2, spec: { ...shooter.spec, version: 2 } } as typeof shooter;
    const fresh = new Rig(next, { hooks, store, onIncompatibleState: "reset" });
    fresh.join(2);
    fresh.windows(2);
    const recorded = fresh.core.export();
    expect(recorded.checkpoints.length).toBe(1);
    expect(recorded.ledger.length).toBe(1);
    expect(fresh.core.lookup(1, 1)).toBeUndefined();
  });
});
