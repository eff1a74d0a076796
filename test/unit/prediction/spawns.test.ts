import { describe, expect, it } from "vitest";
import { replay } from "../../../room/core/index.ts";
import { RoomWorld, type SeatId } from "../../../sim/index.ts";
import { createHarness } from "../../harness/index.ts";
import { ordersOf } from "../harness/shots.ts";
import { Archer, arrowHooks, arrows, type Drawn, EVENTS, type Event, LIFE, SPEED } from "./arrows.ts";

const SHOT = { many: 0, short: 0 };
/** Shots around the wraps of 16 bits and near the end of 32. */
const NUMBERS = [57, 2 ** 16, 2 ** 32 - 1 - 700];

function casesOf(events: readonly Event[]) {
  return NUMBERS.flatMap((shot) =>
    ordersOf(events).map((order) => ({ shot, order, name: order.join(", ") })),
  );
}

/**
 * Where the room's id takes the place of ours, an arrow goes on from where it was drawn: at most it glides (half of it in the first frame), where the
 * room has let it fly on for the 3 m of our absence.
 */
function expectSmooth(drawn: readonly Drawn[]): void {
  const renamed = drawn.findIndex(({ id }, i) => i > 0 && id !== drawn[i - 1]?.id);
  expect(renamed).toBeGreaterThan(0);
  for (let i = Math.max(1, renamed - 2); i < renamed + 2; i++) {
    const step = (drawn[i]?.x ?? 0) - (drawn[i - 1]?.x ?? 0);
    expect(Math.abs(step - SPEED / 60)).toBeLessThan(1.5);
  }
}

const inRoom = (archer: Archer) => [...archer.harness.room.world.all("arrow")];

describe("an arrow that is there at once", () => {
  it.each(casesOf(EVENTS))(
    "[P9] becomes the room's arrow without a jump or a second one, as command $shot: $name",
    ({ shot, order }) => {
      const archer = new Archer(shot);
      archer.shoot();
      // In the very frame, long before the room knows.
      expect(archer.frames.at(-1)).toHaveLength(1);
      for (const event of order) archer.let(event);
      archer.harness.calm(40);
      archer.pass(300);
      expect(archer.keys).toHaveLength(1);
      const drawn = archer.of(archer.keys[0] ?? "");
      expect(drawn).toHaveLength(archer.frames.length);
      expectSmooth(drawn);
      const [arrow] = inRoom(archer);
      expect(arrow?.spawnedBy).toMatchObject({ seq: shot, slot: 0, nth: 0 });
      expect(drawn.at(-1)?.id).toBe(arrow?.id);
      expect(archer.client.stats().openActions).toBe(0);
      archer.pass(2000);
      expect(inRoom(archer)).toEqual([]);
      expect(archer.frames.at(-1)).toEqual([]);
      archer.harness.settle();
      expect(archer.harness.disagreements()).toEqual([]);
      expect(archer.harness.ledgerProblems()).toEqual([]);
    },
  );

  it.each(casesOf(EVENTS))(
    "[P9] is gone when the final receipt came and the room has none, as command $shot: $name",
    ({ shot, order }) => {
      const archer = new Archer(shot);
      archer.shoot({ short: 1 });
      for (const event of order) archer.let(event);
      archer.harness.calm(40);
      archer.pass(300);
      expect(inRoom(archer)).toEqual([]);
      expect(archer.keys.length).toBeLessThanOrEqual(1);
      expect(archer.frames.at(-1)).toEqual([]);
      // Once gone, it doesn't come back.
      const seen = archer.frames.map((frame) => frame.length);
      expect(seen.lastIndexOf(1)).toBe(seen.filter((count) => count === 1).length - 1);
      archer.harness.settle();
      expect(archer.harness.disagreements()).toEqual([]);
    },
  );

  it.each(casesOf(["snapshot", "admitted", "reconnect"]))(
    "[P9] [A1] is taken back when the shot is rejected, as command $shot: $name",
    ({ shot, order }) => {
      const archer = new Archer(shot);
      archer.harness.room.world.spawn("rain");
      archer.shoot();
      expect(archer.frames.at(-1)).toHaveLength(1);
      archer.pass(150);
      expect(archer.frames.at(-1)).toHaveLength(1);
      for (const event of order) {
        archer.let(event, 250);
        // Whichever word comes first is enough.
        if (event !== "reconnect") expect(archer.frames.at(-1)).toEqual([]);
      }
      archer.harness.calm(40);
      archer.pass(300);
      expect(archer.frames.at(-1)).toEqual([]);
      expect(archer.keys).toHaveLength(1);
      expect(inRoom(archer)).toEqual([]);
      archer.harness.settle();
      expect(archer.harness.serverEntity(0)?.values["quiver.shots"]).toBe(0);
      expect(archer.harness.disagreements()).toEqual([]);
    },
  );

  it("[P9] is matched in tolerance: nothing is replayed when the room tells of it", () => {
    const archer = new Archer(200);
    archer.pass(1000);
    const { replayedTicks, corrections } = archer.client.stats();
    archer.shoot();
    for (const event of EVENTS) if (event !== "reconnect") archer.let(event);
    archer.pass(400);
    expect(new Set(archer.of(archer.keys[0] ?? "").map(({ id }) => id)).size).toBe(2);
    expect(archer.client.stats()).toMatchObject({ corrections });
    expect(archer.client.stats().replayedTicks).toBe(replayedTicks);
  });

  it("[P9] is computed again by replays, as the same one, and two of one shot are two", () => {
    const archer = new Archer(57, { latencyMs: 100 });
    archer.shoot({ many: 1 });
    for (let i = 0; i < 6; i++) {
      // The room pushes the archer: everything after that is replayed.
      for (const one of archer.harness.room.world.all("archer")) one.pose.x += 0.5;
      archer.pass(70);
    }
    for (const event of EVENTS) if (event !== "reconnect") archer.let(event);
    archer.pass(300);
    expect(archer.client.stats().corrections).toBeGreaterThan(2);
    expect(archer.keys).toHaveLength(2);
    expect(archer.frames.every((frame) => frame.length === 2)).toBe(true);
    expect(inRoom(archer).map(({ spawnedBy }) => spawnedBy?.nth)).toEqual([0, 1]);
  });

  it("[P9] [P1] ends where it ends in prediction, without waiting for the room", () => {
    const archer = new Archer(57, { latencyMs: 100 });
    archer.shoot();
    for (const event of EVENTS) if (event !== "reconnect") archer.let(event);
    const before = archer.frames.length;
    archer.pass(3000);
    const ticks = archer.of(archer.keys[0] ?? "").length;
    expect(before).toBeGreaterThan(0);
    expect(Math.abs(ticks - LIFE)).toBeLessThan(4);
    expect(archer.client.stats().corrections).toBe(0);
  });

  it("[P9] expires when the room says nothing, and comes back under its name if the room has it", () => {
    const archer = new Archer(57, { latencyMs: 40 });
    archer.shoot();
    expect(archer.frames.at(-1)).toHaveLength(1);
    // Away for longer than that, but not for so long that the commands of then are given up.
    archer.harness.dropConnection(archer.client, { roomNotices: false, forMs: 2010 });
    archer.pass(1500);
    expect(archer.frames.at(-1)).toHaveLength(1);
    archer.pass(545);
    expect(archer.frames.at(-1)).toEqual([]);
    for (const event of EVENTS) if (event !== "reconnect") archer.let(event);
    archer.harness.until(() => archer.client.status === "joined");
    archer.pass(400);
    const [arrow] = inRoom(archer);
    expect(arrow?.spawnedBy?.seq).toBe(57);
    expect(archer.frames.at(-1)).toMatchObject([{ key: archer.keys[0], id: arrow?.id }]);
    expect(archer.keys).toHaveLength(1);
  });

  it("[P9] [D4] is in the room's records: running them again gives the same room", () => {
    const harness = createHarness({ game: arrows, hooks: arrowHooks, link: { latencyMs: 30 } });
    harness.untilJoined();
    for (let i = 0; i < 5; i++) {
      harness.client(0).actions.shoot({ many: i % 2, short: 1 });
      harness.advance(300);
    }
    expect(replay({ game: arrows, hooks: arrowHooks, recorded: harness.room.export() }).agree).toBe(true);
  });

  it("[P9] [D3] outlives a crash of the room in which its shot was lost: the shot runs again, the arrow is the same", () => {
    const archer = new Archer(57, { latencyMs: 40 });
    archer.shoot();
    archer.harness.crashRoom({ at: "before-commit" });
    for (const event of EVENTS) if (event !== "reconnect") archer.let(event);
    archer.harness.until(() => archer.client.stats().incarnation === 2);
    archer.harness.calm(40);
    archer.pass(300);
    expect(archer.keys).toHaveLength(1);
    const [arrow] = inRoom(archer);
    expect(arrow?.spawnedBy?.seq).toBe(57);
    expect(archer.frames.at(-1)?.[0]?.id).toBe(arrow?.id);
    archer.harness.crashRoom();
    archer.pass(100);
    archer.harness.until(() => archer.client.stats().incarnation === 3);
    // Stored with the room, identity and all.
    expect(inRoom(archer)[0]?.spawnedBy).toEqual(arrow?.spawnedBy);
    archer.harness.settle();
    expect(archer.harness.disagreements()).toEqual([]);
  });

  it("[P9] others see it like anything else, and whoever shot is still who they are", () => {
    const harness = createHarness({ game: arrows, hooks: arrowHooks, clients: 2, link: { latencyMs: 30 } });
    harness.untilJoined();
    harness.client(0).actions.shoot(SHOT);
    harness.advance(400);
    expect([...harness.client(1).view.all("arrow")]).toHaveLength(1);
    expect(harness.client(0).view.own?.archetype).toBe("archer");
    harness.client(0).input.set({ moveX: 1 });
    harness.client(0).actions.shoot(SHOT);
    harness.advance(400);
    // The second shot was the archer's too, whatever ids arrows have.
    expect(harness.serverEntity(0)?.values["quiver.shots"]).toBe(2);
  });

  it("[P9] only what its owner predicts can be spawned by an action", () => {
    const { spec } = arrows;
    const world = new RoomWorld(
      {
        ...arrows,
        spec: {
          ...spec,
          actionRules: {
            shoot: {
              ...spec.actionRules?.shoot,
              admit: ({ spawn }) => ({ admit: { arrows: [spawn("rain")], lands: 0 } }),
            },
          },
        },
      },
      1,
    );
    const seat = 1 as SeatId;
    world.spawn("archer", {}, { owner: seat });
    const calls = new Map([[seat, [{ slot: 0, seq: 1, params: SHOT, viewTick: 0 }]]]);
    expect(() => world.step(new Map([[seat, { moveX: 0 }]]), { calls })).toThrow(/owner predicts/);
  });
});
