import { describe, expect, it } from "vitest";
import { Externals } from "../../../client-sdk/externals.ts";
import { fieldPlans } from "../../../client-sdk/field-plan.ts";
import { DefinitionError, defineGame, QuantisedState, World } from "../../../sim/index.ts";
import { createHarness, type Harness } from "../../harness/index.ts";
import { ScriptedRoom, SEAT } from "../client-sdk/scripted-room.ts";
import { type Lifts, liftHooks, lifts } from "./lifts.ts";

const CART = lifts.schema.archetypes.findIndex(({ name }) => name === "cart");
const RTT_MS = [0, 60, 120, 200, 300];
const LIFT_RIDER = 0;
const CART_RIDER = 1;

function board(rttMs: number): Harness<Lifts> {
  const harness = createHarness({
    game: lifts,
    hooks: liftHooks,
    clients: 2,
    link: { latencyMs: rttMs / 2 },
  });
  harness.untilJoined();
  harness.advance(1500);
  return harness;
}

const cartOf = (harness: Harness<Lifts>) => {
  const [cart] = harness.room.world.all("cart");
  if (!cart) throw new Error("no cart");
  return cart;
};

/** Jumps and lands, again and again. */
function hop(harness: Harness<Lifts>, rider: number, times: number): void {
  for (let i = 0; i < times; i++) {
    harness.client(rider).input.set({ jump: true });
    harness.advance(50);
    harness.client(rider).input.set({ jump: false });
    harness.advance(850);
  }
}

const value = (harness: Harness<Lifts>, rider: number, path: string) =>
  harness.serverEntity(rider)?.values[path] ?? Number.NaN;

describe("an external that is a function of the tick", () => {
  it.each(RTT_MS)("[P6] [P10] standing and jumping on it gives no correction at all at %i ms", (rttMs) => {
    const harness = board(rttMs);
    // Falling in while the first commands were on their way was corrected; riding isn't.
    const { corrections } = harness.client(LIFT_RIDER).stats();
    hop(harness, LIFT_RIDER, 6);
    expect(value(harness, LIFT_RIDER, "legs.hops")).toBeGreaterThanOrEqual(4);
    expect(harness.client(LIFT_RIDER).stats()).toMatchObject({ corrections, hardApplies: 0 });
    expect(value(harness, LIFT_RIDER, "pose.y")).toBeGreaterThan(0.9);
  });

  it.each(RTT_MS)(
    "[P6] when it is bumped, corrections are few and no larger than the bump at %i ms",
    (rttMs) => {
      const harness = board(rttMs);
      const { corrections } = harness.client(LIFT_RIDER).stats();
      const seen = harness.client(LIFT_RIDER).record("correction");
      for (const [lift] of [[...harness.room.world.all("lift")]]) if (lift) lift.track.offset += 10;
      harness.advance(1000);
      const after = harness.client(LIFT_RIDER).stats();
      // A bump of 10 ticks moves it half a metre at most.
      expect(after.corrections - corrections).toBeLessThanOrEqual(3);
      expect(Math.max(0, ...seen.map(({ distance }) => distance))).toBeLessThan(0.7);
      hop(harness, LIFT_RIDER, 3);
      expect(harness.client(LIFT_RIDER).stats().corrections).toBe(after.corrections);
      harness.settle();
      expect(harness.client(LIFT_RIDER).stats().hardApplies).toBe(0);
    },
  );
});

describe("an external by history", () => {
  it.each(RTT_MS)(
    "[P6] riding it straight on gives no correction at %i ms, though only the room moves it",
    (rttMs) => {
      const harness = board(rttMs);
      const cart = cartOf(harness);
      cart.pose.x = -5;
      harness.until(() => Math.abs(value(harness, CART_RIDER, "pose.x") - cart.pose.x) < 3);
      harness.client(CART_RIDER).input.set({ moveX: 0 });
      // Get on it, wherever it has carried us so far.
      for (const player of harness.room.world.all("player")) {
        if (player.owner === harness.client(CART_RIDER).seat)
          Object.assign(player.pose, { x: cart.pose.x, y: 1 });
      }
      harness.advance(1000);
      const { corrections } = harness.client(CART_RIDER).stats();
      harness.advance(2000);
      expect(Math.abs(cart.pose.x)).toBeLessThan(5.5);
      expect(value(harness, CART_RIDER, "pose.y")).toBeCloseTo(1, 2);
      expect(Math.abs(value(harness, CART_RIDER, "pose.x") - cart.pose.x)).toBeLessThan(2);
      expect(harness.client(CART_RIDER).stats()).toMatchObject({
        corrections,
        dependencyReplays: expect.any(Number),
      });
    },
  );

  it.each(RTT_MS)(
    "[P6] [P10] when it turns, those who had read it further on are replayed, and corrected by no more than that, at %i ms",
    (rttMs) => {
      const harness = board(rttMs);
      const before = harness.client(CART_RIDER).stats();
      const seen = harness.client(CART_RIDER).record("correction");
      harness.advance(10_000);
      const after = harness.client(CART_RIDER).stats();
      const turns = 10 / 6;
      const aheadSeconds = rttMs / 1000 + 0.2;
      if (rttMs > 0) expect(after.dependencyReplays).toBeGreaterThan(before.dependencyReplays);
      expect(after.dependencyReplays - before.dependencyReplays).toBeLessThan(12 * Math.ceil(turns + 1));
      for (const { distance } of seen) expect(distance).toBeLessThan(4 * aheadSeconds + 0.2);
      expect(after.hardApplies).toBe(0);
      expect(after.externalPauseMs).toBe(0);
      const [room, ours] = [harness.serverEntity(CART_RIDER), harness.predictedEntity(CART_RIDER)];
      expect(Math.abs((room?.values["pose.y"] ?? 0) - (ours?.values["pose.y"] ?? 9))).toBeLessThan(0.1);
    },
  );

  it("[P6] prediction pauses where nothing is known of it, keeps every command, asks for an anchor and goes on by itself", () => {
    const harness = board(120);
    const client = harness.client(CART_RIDER);
    harness.settle();
    const bound = lifts.schema.archetypes.find(({ name }) => name === "cart")?.maxExtrapolationTicks ?? 0;
    expect(bound).toBe(30);
    // The room's words stop coming; ours still arrive.
    harness.setLink(client, { up: { latencyMs: 60 }, down: { latencyMs: 1500 } });
    harness.advance(600);
    const held = client.stats();
    expect(client.view.own?.pose.y).toBeCloseTo(1, 1);
    const drawn = client.view.own?.pose.x;
    harness.advance(300);
    expect(client.stats().tick).toBe(held.tick);
    expect(client.stats().pendingInputs).toBeGreaterThan(held.pendingInputs + 15);
    expect(client.stats().externalPauseMs).toBeGreaterThan(290);
    // It isn't carried on for ever, nor drawn to and fro.
    expect(client.view.own?.pose.x).toBe(drawn);
    harness.advance(1200);
    harness.setLink(client, { latencyMs: 60 });
    harness.advance(2500);
    const after = client.stats();
    expect(after.tick).toBeGreaterThan(held.tick + 120);
    expect(after.externalPauseMs).toBeLessThan(4000);
    harness.advance(500);
    expect(client.stats().externalPauseMs).toBe(after.externalPauseMs);
    expect(harness.ledgerProblems()).toEqual([]);
    const ran = harness.executed(client).map(({ seq }) => seq);
    expect(ran).toEqual(ran.map((_, i) => i + 1));
    expect(after.epoch).toBe(held.epoch);
  });

  it("[P6] asks for a keyframe while it waits, and not before", () => {
    const room = new ScriptedRoom(lifts);
    room.world.put(1, 1, 0, SEAT, 3, new Uint32Array(10));
    room.world.put(2, 1, CART, 0, 1, new Uint32Array(5));
    room.client.opened(0);
    room.welcome(0);
    room.snapshot(0, { tick: 600, consumed: 0 });
    const pass = (fromMs: number, toMs: number) => {
      for (let ms = fromMs; ms <= toMs; ms += 10) room.client.frame(ms);
    };
    pass(0, 350);
    expect(room.sentOf("keyframe")).toEqual([]);
    pass(360, 1000);
    expect(room.sentOf("keyframe").length).toBeGreaterThan(0);
    expect(room.client.stats().tick).toBe(600 + 31);
    expect(room.client.stats().pendingInputs).toBeGreaterThan(55);
    // What the room says next ends the wait: the commands that waited are all predicted at once.
    const waiting = room.client.stats().pendingInputs;
    room.snapshot(1000, { tick: 640, consumed: 40 });
    expect(room.client.stats().tick).toBe(600 + waiting);
  });

  it("[P6] moves with the anchor: after ticks without a command it is read at the ticks that follow", () => {
    const harness = board(120);
    const client = harness.client(CART_RIDER);
    client.pause();
    harness.advance(200);
    client.resume();
    harness.advance(2000);
    const [cart] = client.view.all("cart");
    const own = client.view.own;
    expect(own?.pose.y).toBeCloseTo(1, 1);
    expect(Math.abs((cart?.pose.x ?? 9) - (own?.pose.x ?? 0))).toBeLessThan(2.1);
    expect(client.stats().hardApplies).toBe(0);
  });
});

describe("where an external was", () => {
  const plans = fieldPlans(lifts.schema);

  function at(tick: number, x: number, { epoch = 1, jumps = 0, vx = 128 } = {}): QuantisedState {
    const state = new QuantisedState(tick);
    state.push(1, epoch, CART, 0, 1, [x * 256, 0, vx, 0], 0, 4, jumps);
    return state;
  }
  function reading(...states: QuantisedState[]) {
    const externals = new Externals(plans, lifts.dt);
    const world = new World(lifts);
    for (const state of states) externals.learn(state);
    const last = states.at(-1);
    if (last) world.putQuantised(last, 0);
    return (tick: number) => {
      const known = externals.place(world as unknown as World, tick);
      return known ? (world.byId(1) as { pose: { x: number } }).pose.x : undefined;
    };
  }

  it("[P6] is interpolated between what is known, and carried on by its rates as far as its bound", () => {
    const x = reading(at(10, 1), at(13, 1.1));
    expect(x(10)).toBeCloseTo(1, 5);
    expect(x(11)).toBeCloseTo(1 + 0.1 / 3, 2);
    expect(x(13)).toBeCloseTo(1.1, 2);
    expect(x(19)).toBeCloseTo(1.1 + 0.2, 2);
    expect(x(43)).toBeCloseTo(1.1 + 1, 2);
    expect(x(44)).toBeUndefined();
  });

  it("[P6] [V5] isn't interpolated across a teleport, a respawn or another incarnation", () => {
    const teleported = reading(at(10, 1), at(13, 1.5, { jumps: 1 }));
    expect(teleported(12)).toBeCloseTo(1, 5);
    expect(teleported(13)).toBeCloseTo(1.5, 5);
    const respawned = reading(at(10, 1), at(13, 3, { epoch: 2 }));
    expect(respawned(12)).toBeCloseTo(3, 5);
    const again = reading(at(10, 1), at(13, 1.1), at(11, 7));
    expect(again(11)).toBeCloseTo(7, 5);
    expect(again(12)).toBeCloseTo(7 + 2 / 60, 2);
  });

  it("[P6] a definition says which kind it is, and bounds only what is carried on", () => {
    const { spec } = lifts;
    const withCart = (cart: object) => () =>
      defineGame({ ...spec, archetypes: { ...spec.archetypes, cart } } as never);
    expect(withCart({ fragments: ["pose"], external: true })).toThrow(/externals.cart/);
    expect(withCart({ fragments: ["pose"], maxExtrapolationTicks: 3 })).toThrow(DefinitionError);
    expect(withCart({ fragments: ["pose"], external: "history", maxExtrapolationTicks: -1 })).toThrow(
      /0 to 1000/,
    );
    expect(withCart({ fragments: ["pose"], external: "history", predict: "owner" })).toThrow(
      /both predicted/,
    );
  });
});
