import { describe, expect, it } from "vitest";
import { action, defineGame, fragment, json, num, type ShapeOf } from "../../../sim/index.ts";
import { createHarness } from "../../harness/index.ts";

/** A train that runs a metre in each tick, whistles, and says where. A tick's place is its number. */
const railway = defineGame({
  name: "railway",
  version: 1,
  tickRate: 60,
  input: {},
  fragments: { place: fragment({ x: num({ step: 1 / 64, rate: "vx" }), vx: num({ step: 1 / 64 }) }) },
  archetypes: {
    train: { fragments: ["place"], interpolate: { place: "hermite" }, snapDistance: 99 },
    guard: { fragments: ["place"], predict: "owner" },
  },
  actions: { wave: action() },
  actionRules: {
    wave: {
      admit({ world, seat, effect }) {
        effect("wave");
        world.emit("wave", seat, { except: seat });
        return { admit: null };
      },
    },
  },
  events: { whistle: json<{ x: number }>(), wave: json<number>() },
  systems: {
    gameplay: [
      function run({ world, dt, tick }) {
        for (const { place } of world.all("train")) {
          place.vx = 60;
          place.x += place.vx * dt;
          if (tick % 20 === 0) world.emit("whistle", { x: place.x });
        }
      },
    ],
  },
});
type Railway = ShapeOf<typeof railway>;

const hooks = {
  onCreate: ({ world }: { world: import("../../../sim/index.ts").World<Railway> }) =>
    void world.spawn("train", { place: { vx: 60 } }),
  onJoin: (seat: { spawn(name: "guard"): unknown }) => void seat.spawn("guard"),
};

describe("events in a room", () => {
  it.each([
    ["a steady link", { latencyMs: 60 }],
    ["a jittery one", { latencyMs: 80, jitterMs: 40 }],
  ])("[R9] happen on %s where what they belong to is drawn, whatever the frame rate", (_, link) => {
    for (const frameRate of [30, 60, 144]) {
      const harness = createHarness<Railway>({ game: railway, hooks, link, frameRate, seed: 3 });
      harness.untilJoined();
      harness.advance(1000);
      const [page] = harness.clients;
      const behind: number[] = [];
      page?.core.events.on("whistle", ({ data }) => {
        for (const { place } of page.view.all("train")) behind.push(place.x - data.x);
      });
      harness.advance(10_000);
      expect(behind.length).toBeGreaterThan(28);
      expect(Math.min(...behind)).toBeGreaterThan(-0.02);
      // In the very frame that first shows its tick.
      expect(Math.max(...behind)).toBeLessThan(1.16 * (60 / frameRate) + 0.1);
    }
  });

  it("[R9][P8] show a player's own action at once and to others when they see its tick, to nobody twice", () => {
    const harness = createHarness<Railway>({ game: railway, hooks, clients: 2, link: { latencyMs: 100 } });
    harness.untilJoined();
    harness.advance(1000);
    const seen = harness.clients.map((client) => {
      const all: string[] = [];
      client.core.effects.on("wave", { play: () => all.push("effect") });
      client.core.events.on("wave", ({ data }) => all.push(`event of ${data}`));
      return all;
    });
    harness.client(0).actions.wave();
    harness.advance(40);
    expect(seen).toEqual([["effect"], []]);
    harness.advance(1000);
    expect(seen).toEqual([["effect"], [`event of ${harness.client(0).seat}`]]);
  });

  it("[R9][D3] go on after a crash, and none of them is heard twice", () => {
    const harness = createHarness<Railway>({
      game: railway,
      hooks,
      link: { latencyMs: 30 },
      room: { commitEvery: 4 },
      seed: 5,
    });
    harness.untilJoined();
    const ticks: number[] = [];
    harness.client(0).core.events.on("whistle", ({ tick }) => ticks.push(tick));
    for (let i = 0; i < 6; i++) {
      harness.advance(2370);
      harness.crashRoom({ downMs: 100 });
    }
    harness.advance(2000);
    expect(ticks.length).toBeGreaterThan(30);
    expect(new Set(ticks).size).toBe(ticks.length);
    expect(ticks).toEqual(ticks.toSorted((a, b) => a - b));
  });
});
