import { describe, expect, it } from "vitest";
import { dequantise, type FlatField } from "../../../sim/index.ts";
import { createHarness, type Harness } from "../../harness/index.ts";
import { busyHooks, type Field, field, fieldHooks } from "./games.ts";

/** What the room tells everybody about a seat's entity: its state rounded to the declared steps. */
function quantisedTruth(harness: Harness<Field>, id: number): Record<string, number> {
  const state = harness.room.world.quantise();
  const row = state.find(id);
  const fields: readonly FlatField[] = field.schema.archetypes[state.archetypes[row] ?? 0]?.fields ?? [];
  const offset = state.offsets[row] ?? 0;
  return Object.fromEntries(
    fields.map((one) => [one.path, dequantise(one, state.values[offset + one.index] ?? 0)]),
  );
}

describe("a room with several seats", () => {
  it("[V5] [R3] shows each seat the other where the room says it is, to the declared steps", () => {
    const harness = createHarness({
      game: field,
      hooks: fieldHooks,
      clients: ["ada", "ben"],
      link: { latencyMs: 70, jitterMs: 30 },
    });
    harness.untilJoined();
    const [ada, ben] = [harness.client("ada"), harness.client("ben")];
    ada.input.set({ moveX: 1, moveY: -0.4, aim: 1 });
    ben.input.set({ moveX: -0.2, moveY: 1, sprint: true });
    harness.advance(1200);
    harness.settle();
    for (const [me, other] of [
      [ada, ben],
      [ben, ada],
    ] as const) {
      const entity = harness.serverEntity(other);
      if (!entity) throw new Error("a seat has no entity");
      const truth = quantisedTruth(harness, entity.id);
      const shown = me.view.get(entity.id);
      const told = me.view.server(entity.id);
      expect(shown?.own).toBe(false);
      expect(told?.transform.x).toBe(truth["transform.x"]);
      expect(told?.transform.y).toBe(truth["transform.y"]);
      expect(shown?.transform.x).toBeCloseTo(truth["transform.x"] ?? Number.NaN, 9);
      expect(shown?.transform.y).toBeCloseTo(truth["transform.y"] ?? Number.NaN, 9);
      expect(me.core.seats().map(({ name }) => name)).toEqual(["ada", "ben"]);
    }
  });

  it("[T8] has bots that walk by themselves and are seen by players", () => {
    const harness = createHarness({ game: field, hooks: busyHooks, roomOptions: { bots: 5 } });
    harness.untilJoined();
    harness.advance(500);
    const client = harness.client(0);
    const places = () =>
      [...client.view.all("player")]
        .filter(({ own }) => !own)
        .map(({ id, transform }) => `${id} ${transform.x}`);
    const before = places();
    harness.advance(500);
    expect(before).toHaveLength(5);
    expect(places()).toHaveLength(5);
    expect(places().filter((place) => before.includes(place))).toEqual([]);
    expect(client.core.seats().filter(({ kind }) => kind === "bot")).toHaveLength(5);
    expect(harness.room.stats()).toMatchObject({ bots: 5, seats: 1 });
  });

  it("[S2] [I3] keeps a dropped player's seat and session, also when the room hasn't noticed the drop", () => {
    for (const roomNotices of [true, false]) {
      const harness = createHarness({ game: field, hooks: fieldHooks, clients: 2, link: { latencyMs: 40 } });
      harness.untilJoined();
      harness.client(0).input.set({ moveX: 1 });
      harness.advance(700);
      const seat = harness.client(0).seat;
      const joined = harness.client(0).record("joined");
      harness.dropConnection(0, { roomNotices });
      expect(harness.client(0).status).toBe("reconnecting");
      harness.advance(700);
      expect(joined).toEqual([{ seat, incarnation: 1, resumed: true }]);
      harness.settle();
      expect(new Set(harness.executed(0).map(({ inputSession }) => inputSession)).size).toBe(1);
      expect(harness.ledgerProblems()).toEqual([]);
      expect(harness.disagreements()).toEqual([]);
      expect(harness.room.stats()).toMatchObject({ seats: 2, connections: 2 });
    }
  });

  it("[T7] sleeps without an alarm when everybody has left, and wakes at the next tick", () => {
    const harness = createHarness({ game: field, hooks: busyHooks, roomOptions: { bots: 1 } });
    harness.untilJoined();
    harness.advance(300);
    harness.client(0).leave();
    harness.until(() => !harness.room.running, { what: "sleep" });
    const asleepAt = harness.room.tick;
    expect(harness.store.alarmMs()).toBeUndefined();
    const rows = harness.store.rowsWritten;
    harness.advance(3_600_000);
    expect(harness.room.tick).toBe(asleepAt);
    expect(harness.store.rowsWritten).toBe(rows);

    const late = harness.join({ name: "late" });
    harness.until(() => late.newestSeq > 0, { what: "joining a sleeping room" });
    harness.advance(1000);
    expect(harness.room.stats().slippedTicks).toBe(0);
    expect(harness.room.tick).toBeGreaterThan(asleepAt + 50);
    expect(harness.room.tick).toBeLessThan(asleepAt + 80);
    expect(harness.ledgerProblems()).toEqual([]);
  });

  it("[T3] [T4] slips against the wall when it can't keep up: no tick is skipped, nobody is closed", () => {
    const harness = createHarness({
      game: field,
      hooks: fieldHooks,
      clients: 2,
      link: { latencyMs: 50 },
      room: { maxCatchUpTicks: 15 },
    });
    harness.untilJoined();
    harness.client(0).input.set({ moveX: 0.5 });
    harness.advance(1000);
    const before = harness.room.tick;
    harness.stallRoom(1500);
    harness.advance(1500);
    const { tick, slippedTicks } = harness.room.stats();
    // 1.5 s are 90 ticks; 15 of them are run at once.
    expect(tick - before).toBe(15);
    expect(slippedTicks).toBeGreaterThan(70);
    expect(slippedTicks).toBeLessThanOrEqual(78);
    const clients = harness.clients.map((client) => client.record("reconnecting"));
    harness.advance(500);
    expect(harness.room.stats().slippedTicks).toBe(slippedTicks);
    harness.settle();
    expect(clients).toEqual([[], []]);
    expect(harness.ledgerProblems()).toEqual([]);
    expect(harness.disagreements()).toEqual([]);
  });

  it("[C2] [T3] puts clients back to their usual lead within 2 s of a stall", () => {
    const harness = createHarness({ game: field, hooks: fieldHooks, clients: 2, link: { latencyMs: 50 } });
    harness.untilJoined();
    harness.advance(2500);
    const usual = harness.clients.map((client) => client.stats().pendingInputs);
    harness.stallRoom(1500);
    harness.advance(1500);
    expect(harness.room.stats().slippedTicks).toBeGreaterThan(70);
    harness.advance(2000);
    for (const [index, client] of harness.clients.entries()) {
      expect(client.stats().pendingInputs).toBeLessThanOrEqual((usual[index] ?? 0) + 3);
    }
  });

  it("[C3] isn't flooded by a page that was in the background for 5 s", () => {
    for (const clock of ["runs", "stops"] as const) {
      const harness = createHarness({ game: field, hooks: fieldHooks, clients: 2, link: { latencyMs: 30 } });
      harness.untilJoined();
      harness.client(0).input.set({ moveX: 1 });
      harness.advance(500);
      harness.client(0).pause(clock);
      harness.advance(5_000);
      const made = harness.client(0).newestSeq;
      harness.client(0).resume();
      harness.advance(100);
      expect(harness.client(0).newestSeq - made).toBeLessThan(20);
      harness.settle();
      expect(harness.disagreements()).toEqual([]);
      expect(harness.ledgerProblems()).toEqual([]);
    }
  });
});
