import { describe, expect, it } from "vitest";
import { decodeLedger, encodeLedger, type LedgerRow, type RoomExport } from "../../../protocol/index.ts";
import { type ReplayReport, type RoomHooks, replay } from "../../../room/core/index.ts";
import { Rig } from "./rig.ts";
import { BUY, FIRE, type Shooter, shooter } from "./shooter.ts";
import type { TestClient } from "./test-client.ts";

const hooks: RoomHooks<Shooter> = {
  onCreate: (room) => room.addBot("roam", { name: "Bot" }).spawn("player"),
  onJoin(seat, room) {
    seat.spawn("player", { body: { x: Math.floor(room.world.random() * 8) } });
    if (seat.name === "Bob") room.addBot("roam", { name: "Friend" }).spawn("player");
  },
  onLeave: (_, room) => void room.world.random(),
  bots: { roam: ({ random }) => ({ step: random() < 0.5 }) },
};

/** A life with everything in it that a ledger records. */
function lived(commitEvery: number, checkpointTicks = 600): Rig<Shooter> {
  const room: Rig<Shooter> = new Rig(shooter, {
    hooks,
    commitEvery,
    checkpointTicks,
    calls: { startCall: ({ key }) => void asked.push(key), stopCall: () => undefined },
  });
  const asked: string[] = [];
  const ada = room.join(1, { name: "Ada" });
  // One who is gone before any window: its numbers are skipped.
  room.drop(room.join(9));
  room.windows(2);
  const play = (client: TestClient<Shooter>, windows: number) => {
    for (let i = 0; i < windows; i++) {
      const n = client.nextSeq;
      room.send(client, client.input([{ step: n % 2 === 0, calls: callsFor(n) }, { step: true }]));
      for (const key of asked.splice(0)) room.core.answer(key, { coins: 2 }, room.nowMs);
      room.windows(1);
    }
  };
  play(ada, 12);
  const bob = room.join(2, { name: "Bob" });
  room.windows(1);
  play(bob, 5);
  room.command(bob, { boom: true });
  room.windows(3);
  room.drop(bob);
  room.resume(bob, { inputSession: 0, nextSeq: 1 });
  room.windows(2);
  bob.nextSeq = 1;
  play(bob, 5);
  room.send(ada, ada.frame({ type: "leave" }));
  play(bob, 16);
  return room;
}

function callsFor(n: number) {
  return [...(n % 5 === 0 ? [{ slot: FIRE }] : []), ...(n % 9 === 0 ? [{ slot: BUY }] : [])];
}

function rerun(
  room: Rig<Shooter>,
  change: (recorded: RoomExport) => RoomExport = (all) => all,
): ReplayReport {
  return replay({ game: shooter, hooks, recorded: change(room.core.export()) });
}

/** The same records with one row changed. */
function withRow(recorded: RoomExport, index: number, change: (row: LedgerRow) => LedgerRow): RoomExport {
  const ledger = recorded.ledger.map((bytes, i) =>
    i === index ? encodeLedger(change(decodeLedger(bytes))) : bytes,
  );
  return { ...recorded, ledger };
}

describe("a replay", () => {
  it.each([1, 4])(
    "[D4] gives the recorded hash at every commit, with %i windows per commit",
    (commitEvery) => {
      const room = lived(commitEvery);
      const report = rerun(room);
      expect(report.firstDifference).toBeUndefined();
      expect(report).toMatchObject({ agree: true });
      expect(report.ticks).toBeGreaterThan(room.core.tick - 15);
      const rows = room.core.export().ledger.map((bytes) => decodeLedger(bytes));
      const entries = rows.flatMap(({ sessions }) => sessions.flatMap((session) => session.entries));
      // What the comparison would be worth little without.
      expect(rows.flatMap(({ answers }) => answers).length).toBeGreaterThan(1);
      expect(rows.flatMap(({ ended }) => ended).map(({ reason }) => reason)).toEqual(["queue-lost", "left"]);
      expect(rows.flatMap(({ joins }) => joins).length).toBeGreaterThan(1);
      expect(new Set(entries.map(({ disposition }) => disposition))).toEqual(new Set([1, 2]));
    },
  );

  it("[D4][D5] begins at the older of two checkpoints, and the ledger reaches back to it", () => {
    const room = lived(1, 30);
    const recorded = room.core.export();
    expect(recorded.checkpoints.length).toBe(2);
    expect(rerun(room)).toMatchObject({ agree: true });
    const ticks = room.core.tick - decodeLedger(recorded.ledger[0] as Uint8Array).fromTick;
    expect(ticks).toBeGreaterThanOrEqual(30);
    expect(ticks).toBeLessThan(66);
  });

  it("[D4] spans restarts", () => {
    const room = lived(1);
    room.crash();
    room.windows(4);
    expect(rerun(room)).toMatchObject({ agree: true });
  });

  it("[D4] names the commit and tick of a state that was recorded otherwise", () => {
    const room = lived(1);
    const report = rerun(room, (all) => withRow(all, 3, (row) => ({ ...row, hash: row.hash ^ 1n })));
    const row = decodeLedger(room.core.export().ledger[3] as Uint8Array);
    expect(report).toMatchObject({
      agree: false,
      commits: 3,
      firstDifference: { commit: row.commit, tick: row.toTick, what: "state hash" },
    });
  });

  it("[D4] names the very tick in which an action came out otherwise", () => {
    const room = lived(4);
    const all = room.core.export();
    const index = all.ledger.findIndex((bytes) =>
      decodeLedger(bytes).sessions.some(({ entries }) => entries.some(({ actions }) => actions.length > 0)),
    );
    let tick = 0;
    const report = rerun(room, () =>
      withRow(all, index, (row) => ({
        ...row,
        sessions: row.sessions.map((session) => ({
          ...session,
          entries: session.entries.map((entry) => {
            if (entry.actions.length === 0) return entry;
            tick ||= entry.tick;
            return {
              ...entry,
              actions: entry.actions.map(({ slot }) => {
                return {
                  slot,
                  disposition: "rejected",
                  reason: "forged",
                  byRoom: false,
                  rewoundTick: 0,
                } as const;
              }),
            };
          }),
        })),
      })),
    );
    expect(report.firstDifference).toMatchObject({ tick, actual: "disposition 1, 0 admitted" });
  });

  it("[D4][D7] refuses records of another game, version or definition", () => {
    const room = lived(1);
    for (const other of [{ game: "chess" }, { gameVersion: 2 }, { fingerprint: 1n }]) {
      const foreign = (all: RoomExport) => withRow(all, 3, (row) => ({ ...row, ...other }));
      expect(() => rerun(room, foreign)).toThrow(/stored-game.*commit/);
    }
  });

  it("[D4] refuses records with a hole", () => {
    const room = lived(1);
    const holed = (all: RoomExport) => ({ ...all, ledger: all.ledger.filter((_, i) => i !== 2) });
    expect(() => rerun(room, holed)).toThrow(RangeError);
  });
});
