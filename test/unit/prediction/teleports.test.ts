import { describe, expect, it } from "vitest";
import {
  defineGame,
  entityRef,
  Histories,
  interpolate,
  QuantisedState,
  RoomWorld,
  rewindTo,
  type SeatId,
} from "../../../sim/index.ts";
import { createHarness, type Harness } from "../../harness/index.ts";
import { loosePitch, type Pitch, pitch, pitchHooks } from "./pitch.ts";

/** Players that can be looked back at. */
const watched = defineGame({
  name: "watched-pitch",
  version: 1,
  tickRate: 60,
  input: {},
  fragments: pitch.spec.fragments,
  archetypes: { player: { fragments: ["pose"], predict: "owner", rewind: true } },
});
const PLAYER = watched.schema.archetypes.findIndex(({ name }) => name === "player");

function at(tick: number, x: number, jumps: number): QuantisedState {
  const state = new QuantisedState(tick);
  state.push(1, 1, PLAYER, 1, 1, [x * 256, 0, 0, 0], 0, 4, jumps);
  return state;
}

function historyOf(...states: QuantisedState[]): Histories {
  const histories = new Histories(watched.schema);
  for (const state of states) histories.insert(state);
  return histories;
}

/** Steps of what a client draws of a player, frame by frame. */
function stepsOf(harness: Harness<Pitch>, client: number, id: number, ms: number): number[] {
  const steps: number[] = [];
  let last = harness.client(client).view.get(id) as { pose: { x: number } } | undefined;
  let x = last?.pose.x ?? 0;
  for (let i = 0; i < ms / (1000 / 60); i++) {
    harness.advance(1000 / 60);
    last = harness.client(client).view.get(id) as { pose: { x: number } } | undefined;
    steps.push(Math.abs((last?.pose.x ?? x) - x));
    x = last?.pose.x ?? x;
  }
  return steps;
}

describe("a declared teleport", () => {
  it("[V5] isn't interpolated across, however short the way", () => {
    const shown = (jumps: number, tick: number) => {
      const [life] = historyOf(at(10, 1, 0), at(14, 1.4, jumps)).lives();
      const pose = { values: new Float64Array(4), presence: 0, owner: 0, jumps: 0, stalled: false };
      if (life) interpolate(life, { tick, maxExtrapolationTicks: 3, dt: 1 / 60 }, pose);
      return [pose.values[0], pose.jumps];
    };
    expect(shown(0, 12)[0]).toBeCloseTo(1.2, 2);
    expect(shown(1, 13.9)).toEqual([1, 0]);
    expect(shown(1, 14)[0]).toBeCloseTo(1.4, 2);
    // The count goes round.
    expect(shown(255, 12)).toEqual([1, 0]);
  });

  it("[L1] isn't looked back across: the target is where it is now", () => {
    const back = (jumps: number) => {
      const rewind = rewindTo(historyOf(at(10, 1, 0), at(14, 1.4, jumps)), 12, 1 / 60);
      return (rewind.get(entityRef(1, 1)) as { pose: { x: number } } | undefined)?.pose.x;
    };
    expect(back(0)).toBeCloseTo(1.2, 2);
    expect(back(1)).toBeCloseTo(1.4, 2);
  });

  it("[V3] is counted with the entity: in its state, its hash and everything that is sent", () => {
    const world = new RoomWorld(pitch, 1);
    world.spawn("player", {}, { owner: 1 as SeatId });
    world.commitStructure();
    const [one] = world.all("player");
    const before = world.hash();
    for (let i = 0; i < 257; i++) one?.teleported();
    expect(world.hash()).not.toBe(before);
    expect(world.quantise().jumps[0]).toBe(1);
    const copy = new RoomWorld(pitch, 2);
    copy.restore(world.save());
    expect(copy.quantise().jumps[0]).toBe(1);
  });

  it("[V3] [V5] jumps on the screens of whoever does it and of whoever watches, at 200 ms, and needs no correction", () => {
    const harness = createHarness<Pitch>({
      game: loosePitch,
      hooks: pitchHooks,
      clients: 2,
      link: { latencyMs: 100 },
    });
    harness.untilJoined();
    harness.advance(1000);
    const id = harness.serverEntity(0)?.id ?? 0;
    const { corrections } = harness.client(0).stats();
    const blink = () => {
      harness.client(0).input.set({ blink: true });
      harness.advance(17);
      harness.client(0).input.set({ blink: false });
    };
    blink();
    const own = stepsOf(harness, 0, id, 600);
    blink();
    const others = stepsOf(harness, 1, id, 900);
    // Nothing but standing and jumping: no step lies between.
    for (const steps of [own, others]) expect(steps.filter((step) => step > 0.01 && step < 0.9)).toEqual([]);
    expect(others.filter((step) => step > 0.9).length).toBeGreaterThan(0);
    expect(harness.client(0).stats().corrections).toBe(corrections);
  });

  it("[V3] by the room is shown at once, not as a glide", () => {
    const harness = createHarness<Pitch>({ game: loosePitch, hooks: pitchHooks, link: { latencyMs: 60 } });
    harness.untilJoined();
    harness.advance(1000);
    const [one] = harness.room.world.all("player");
    if (!one) throw new Error("no player");
    one.pose.x += 2;
    one.teleported();
    const steps = stepsOf(harness, 0, one.id, 600);
    expect(steps.filter((step) => step > 0.01)).toHaveLength(1);
    expect(Math.max(...steps)).toBeCloseTo(2, 2);
  });
});
