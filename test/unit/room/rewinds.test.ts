import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeLedger, decodeRoom } from "../../../protocol/index.ts";
import { type RoomHooks, replay } from "../../../room/core/index.ts";
import { action, defineGame, fragment, held, json, num, type ShapeOf } from "../../../sim/index.ts";
import { Rig, type RigOptions } from "./rig.ts";

const REWIND_TICKS = 12;

/** A hare that runs 60 units a second, so that a tick of rewind is a unit of place. */
const hunt = defineGame({
  name: "hunt",
  version: 1,
  tickRate: 60,
  rewindMs: 200,
  input: { still: held() },
  fragments: { pose: fragment({ x: num({ step: 1 / 64, rate: "vx" }), vx: num({ step: 1 / 64 }) }) },
  archetypes: {
    hunter: { fragments: ["pose"], predict: "owner" },
    hare: { fragments: ["pose"], rewind: true, snapDistance: 99 },
  },
  actions: { look: action({ capture: json<number>(), result: json<number>(), rewind: true }) },
  actionRules: {
    look: {
      admit({ rewind }) {
        for (const { pose } of rewind.all("hare")) return { admit: pose.x };
        return { reject: "no-hare" };
      },
      settle: ({ capture }) => capture,
    },
  },
  systems: {
    gameplay: [
      function run({ world, dt }) {
        for (const { pose } of world.all("hare")) {
          pose.vx = 60;
          pose.x += pose.vx * dt;
        }
      },
    ],
  },
});
type Hunt = ShapeOf<typeof hunt>;

const hooks: RoomHooks<Hunt> = {
  onCreate: ({ world }) => void world.spawn("hare", { pose: { vx: 60 } }),
  onJoin: (seat) => seat.spawn("hunter"),
};

function start(options: RigOptions<Hunt> = {}) {
  const room = new Rig<Hunt>(hunt, { hooks, ...options });
  const ada = room.join(1);
  room.windows(12);
  /** Where the room found the hare, and the tick that it looked back at. */
  const look = (viewTick: number) => {
    const seq = ada.nextSeq;
    room.act(ada, { slot: 0, viewTick });
    room.windows(1);
    const found = room.core.lookup(ada.welcome.inputSession, seq);
    room.windows(1);
    const receipt = ada.receipts.findLast((one) => one.seq === seq);
    return { x: receipt?.result as number, rewoundTick: found?.actions[0]?.rewoundTick };
  };
  return { room, ada, look };
}

describe("a hit query", () => {
  it("[L1][L3] is answered at the tick and fraction that its player saw, and recorded with it", () => {
    const { room, look } = start();
    const seen = room.core.tick - 4.5;
    const { x, rewoundTick } = look(seen);
    expect(rewoundTick).toBe(seen);
    // The hare runs from tick 1 on, from its birth at x = 0.
    expect(x).toBeCloseTo(seen, 1);
  });

  it("[L1] looks back no further than its bound, and not past the newest boundary", () => {
    const { room, look } = start();
    const newest = room.core.tick;
    const old = look(1);
    expect(old.rewoundTick).toBe(newest - REWIND_TICKS);
    expect(old.x).toBeCloseTo(newest - REWIND_TICKS, 1);
    const boundary = room.core.tick;
    const future = look(0xffff_fff0);
    expect(future.rewoundTick).toBe(boundary);
  });

  it("[L1] judges a page that has seen nothing yet by the newest boundary", () => {
    const { room, look } = start();
    const boundary = room.core.tick;
    expect(look(0).rewoundTick).toBe(boundary);
  });

  it("[X2][L1] takes any view time without harm", () => {
    const { room, look } = start();
    fc.assert(
      fc.property(fc.double(), (viewTick) => {
        const { x, rewoundTick = 0 } = look(viewTick);
        expect(rewoundTick).toBeGreaterThan(room.core.tick - REWIND_TICKS - 12);
        expect(x).toBeCloseTo(rewoundTick, 1);
      }),
      { numRuns: 40 },
    );
  });

  it.each([1, 4])(
    "[L3][D4] comes out the same in a replay, with %i windows per commit, late windows and a crash",
    (commitEvery) => {
      const { room, look } = start({ commitEvery });
      for (let i = 0; i < 12; i++) {
        look(room.core.tick - 2.25 * i);
        if (i % 4 !== 3) continue;
        // A window of more ticks than usual.
        room.alarms = false;
        room.pass(120);
        room.alarms = true;
      }
      const report = replay<Hunt>({ game: hunt, hooks, recorded: room.core.export() });
      expect(report.firstDifference).toBeUndefined();
      const outcomes = room.core
        .export()
        .ledger.flatMap((bytes) => decodeLedger(bytes).sessions)
        .flatMap(({ entries }) => entries.flatMap(({ actions }) => [...actions]));
      expect(outcomes.filter(({ rewoundTick }) => rewoundTick > 0).length).toBeGreaterThan(8);
    },
  );

  it("[D1][D3][L3] finds the same past after a crash: poses are part of the stored state", () => {
    const { room, ada } = start();
    const { poses } = decodeRoom(room.store.load()?.state ?? new Uint8Array(), hunt);
    expect(poses.length).toBeGreaterThanOrEqual(REWIND_TICKS / 3);
    expect(poses.length).toBeLessThan(REWIND_TICKS / 3 + 3);
    const seen = room.core.tick - 7.5;
    room.crash();
    room.resume(ada);
    room.windows(1);
    const seq = ada.nextSeq;
    room.act(ada, { slot: 0, viewTick: seen });
    room.windows(2);
    expect(room.core.lookup(ada.welcome.inputSession, seq)?.actions[0]).toMatchObject({ rewoundTick: seen });
    expect(ada.receipts.findLast((one) => one.seq === seq)?.result).toBeCloseTo(seen, 1);
  });
});
