import { describe, expect, it } from "vitest";
import { decodeLedger, LIMITS } from "../../../protocol/index.ts";
import { type RoomHooks, replay } from "../../../room/core/index.ts";
import {
  action,
  defineGame,
  fragment,
  held,
  int,
  json,
  num,
  press,
  type ShapeOf,
} from "../../../sim/index.ts";
import { Rig, type RigOptions } from "./rig.ts";
import { FIRE, type Shooter, shooter } from "./shooter.ts";

/** A game that throws wherever a test wants it to, each time or by chance. */
const fragile = (mood: { settles: boolean }) =>
  defineGame({
    name: "fragile",
    version: 1,
    tickRate: 60,
    input: { step: held(), boom: press() },
    fragments: { body: fragment({ x: num({ step: 1 / 64 }), hits: int({ min: 0, max: 999 }) }) },
    archetypes: { player: { fragments: ["body"], predict: "owner" } },
    actions: { poke: action({ capture: json<null>(), result: json<number>(), deadlineTicks: 60 }) },
    actionRules: {
      poke: {
        admit: () => ({ admit: null }),
        settle({ entity, tick, admittedTick, world }) {
          if (!mood.settles) throw new Error("won't settle");
          if (tick < admittedTick + 2) return undefined;
          if (entity) entity.body.hits++;
          return world.random();
        },
      },
    },
    systems: {
      input: [
        function walk({ driven }) {
          for (const { entity, command } of driven("player")) if (command.step) entity.body.x += 1;
        },
      ],
    },
  });

type Fragile = ShapeOf<ReturnType<typeof fragile>>;

function rejectionsOf(room: Rig<Fragile> | Rig<Shooter>) {
  return room.core.export().ledger.flatMap((bytes) => [...decodeLedger(bytes).rejected]);
}

function agrees(room: Rig<Fragile>, game: ReturnType<typeof fragile>, hooks: RoomHooks<Fragile>) {
  const report = replay<Fragile>({ game, hooks, recorded: room.core.export() });
  expect(report.firstDifference).toBeUndefined();
  expect(report.commits).toBeGreaterThan(3);
}

describe("what made a window throw", () => {
  it("[D4][T6] a bot that was benched stands still in the replay, though its brain doesn't throw there", () => {
    const game = fragile({ settles: true });
    const brain = { throws: false };
    const hooks: RoomHooks<Fragile> = {
      onCreate: (room) => room.addBot("roam", { name: "Bot" }).spawn("player"),
      onJoin: (seat) => seat.spawn("player"),
      bots: {
        roam: ({ tick, random }) => {
          if (brain.throws && tick > 10) throw new Error("can't think");
          return { step: random() < 0.5 };
        },
      },
    };
    const room = new Rig<Fragile>(game, { hooks });
    room.join(1);
    room.windows(3);
    brain.throws = true;
    room.windows(6);
    brain.throws = false;
    room.windows(6);
    expect(rejectionsOf(room)).toMatchObject([{ kind: "command", seat: 2 }]);
    agrees(room, game, hooks);
  });

  it("[D4][T6] an onLeave that was skipped isn't called in the replay", () => {
    const game = fragile({ settles: true });
    const host = { throws: true };
    const hooks: RoomHooks<Fragile> = {
      onJoin: (seat) => seat.spawn("player"),
      onLeave: (_, { world }) => {
        world.random();
        if (host.throws) throw new Error("no goodbye");
      },
    };
    const room = new Rig<Fragile>(game, { hooks });
    const ada = room.join(1);
    room.join(2);
    room.windows(3);
    room.send(ada, ada.frame({ type: "leave" }));
    room.windows(6);
    host.throws = false;
    room.windows(3);
    expect(rejectionsOf(room)).toMatchObject([{ kind: "leave", seat: 1 }]);
    agrees(room, game, hooks);
  });

  it.each([1, 4])(
    "[D4][T6] an action that was ended by its fault ends alike in the replay, with %i windows per commit",
    (commitEvery) => {
      const mood = { settles: true };
      const game = fragile(mood);
      const hooks: RoomHooks<Fragile> = { onJoin: (seat) => seat.spawn("player") };
      const room = new Rig<Fragile>(game, { hooks, commitEvery });
      const ada = room.join(1);
      room.windows(3);
      room.act(ada, { slot: 0 });
      room.windows(3);
      mood.settles = false;
      room.act(ada, { slot: 0 });
      room.windows(6);
      mood.settles = true;
      room.act(ada, { slot: 0 });
      room.windows(6);
      expect(rejectionsOf(room)).toMatchObject([{ kind: "action", seq: 2, slot: 0 }]);
      agrees(room, game, hooks);
    },
  );
});

describe("what depends on clients", () => {
  const hooks: RoomHooks<Shooter> = { onJoin: (seat) => seat.spawn("player") };
  const start = (options: RigOptions<Shooter> = {}) => {
    const room = new Rig<Shooter>(shooter, { hooks, ...options });
    const ada = room.join(1);
    room.windows(2);
    return { room, ada };
  };

  it("[D4][A7] a replay goes through more input sessions than a seat can keep", () => {
    const { room, ada } = start();
    const lives = LIMITS.sessionsPerSeat + 4;
    for (let life = 0; life < lives; life++) {
      room.command(ada, { step: true });
      room.act(ada, { slot: FIRE });
      room.windows(3);
      const { inputSession: session, receiptHead: cursor } = ada.snapshot;
      room.send(ada, ada.frame({ type: "cursor", session, cursor, baselineId: 0 }));
      room.drop(ada);
      room.resume(ada, { inputSession: 0, nextSeq: 1 });
      room.windows(2);
      ada.nextSeq = 1;
    }
    const report = replay<Shooter>({ game: shooter, hooks, recorded: room.core.export() });
    expect(report.firstDifference).toBeUndefined();
    const ended = room.core.export().ledger.flatMap((bytes) => [...decodeLedger(bytes).ended]);
    expect(ended.length).toBe(lives);
  });

  it("[D4][A7] calls that found the store full are rejected in the replay, whose store is empty", () => {
    const { room, ada } = start();
    for (let i = 0; i < LIMITS.receiptsRetained; i++) {
      room.act(ada, { slot: FIRE });
      room.windows(1);
    }
    const outcomes = room.core
      .export()
      .ledger.flatMap((bytes) => decodeLedger(bytes).sessions)
      .flatMap(({ entries }) => entries.flatMap(({ actions }) => [...actions]));
    expect(outcomes.filter(({ byRoom }) => byRoom).map(({ reason }) => reason)).toContain("receipts-full");
    const report = replay<Shooter>({ game: shooter, hooks, recorded: room.core.export() });
    expect(report.firstDifference).toBeUndefined();
  });
});
