import { describe, expect, it } from "vitest";
import { LIMITS } from "../../../protocol/index.ts";
import { EventPost } from "../../../room/core/event-post.ts";
import { MemoryStore, type RoomHooks, replay } from "../../../room/core/index.ts";
import { action, defineGame, fragment, int, json, press, type ShapeOf } from "../../../sim/index.ts";
import { Rig, type RigOptions } from "./rig.ts";
import type { TestClient } from "./test-client.ts";

/** Everybody claps as often as asked; who calls out is heard by others, unless out of breath. */
const hall = defineGame({
  name: "hall",
  version: 1,
  tickRate: 60,
  input: { clap: press(), whisper: press(), applaud: press(), boom: press() },
  fragments: { breath: fragment({ left: int({ min: 0, max: 9, default: 1 }) }) },
  archetypes: { guest: { fragments: ["breath"], predict: "owner" } },
  actions: { call: action({ result: json<number>() }) },
  events: {
    clap: json<{ by: number }>(),
    whisper: json<string>(),
    call: json<null>(),
    answered: json<{ tick: number }>(),
    welcome: json<number>(),
  },
  actionRules: {
    call: {
      admit({ world, seat, entity }) {
        world.emit("call", null, { except: seat });
        if (entity.breath.left === 0) return { reject: "out-of-breath" };
        entity.breath.left--;
        return { admit: null };
      },
      settle({ world, tick }) {
        world.emit("answered", { tick });
        return tick;
      },
    },
  },
  systems: {
    gameplay: [
      function listen({ driven, world }) {
        for (const { entity, command, seat } of driven("guest")) {
          const said = { by: seat as number };
          if (command.clap) world.emit("clap", said);
          if (command.applaud) for (let i = 0; i <= LIMITS.eventsPerWindow; i++) world.emit("clap", said);
          if (command.whisper) world.emit("whisper", "psst", { only: seat });
          said.by = 99;
          if (command.boom) throw new Error("boom");
          entity.breath.left += 0;
        }
      },
    ],
  },
});
type Hall = ShapeOf<typeof hall>;

const hooks: RoomHooks<Hall> = {
  onJoin(seat, { world }) {
    seat.spawn("guest");
    world.emit("welcome", seat.id);
  },
};

class WatchedStore extends MemoryStore {
  failing = false;
  override commit(...write: Parameters<MemoryStore["commit"]>): void {
    if (this.failing) throw new Error("disk on fire");
    super.commit(...write);
  }
}

function start(options: RigOptions<Hall> = {}) {
  const store = new WatchedStore();
  const room = new Rig<Hall>(hall, { hooks, store, ...options });
  const ada = room.join(1);
  const bob = room.join(2);
  room.windows(1);
  return { room, ada, bob, store };
}

const KINDS = ["clap", "whisper", "call", "answered", "welcome"];
const heard = ({ events }: TestClient<Hall>) =>
  events.map(({ tick, kind, data }) => [tick, KINDS[kind], JSON.parse(data)]);

describe("an event", () => {
  it("[R9] goes to everybody with its tick, and what it says is what was so when it was said", () => {
    const { room, ada, bob } = start();
    room.command(ada, {}, { clap: true });
    room.windows(1);
    expect(heard(ada)).toEqual([[5, "clap", { by: ada.welcome.seat }]]);
    expect(bob.events).toEqual(ada.events);
    room.windows(3);
    expect(ada.events.length).toBe(1);
  });

  it("[R9][R8] that one seat alone is told reaches nobody else", () => {
    const { room, ada, bob } = start();
    room.command(ada, { whisper: true });
    room.windows(1);
    expect(heard(ada)).toEqual([[4, "whisper", "psst"]]);
    expect(bob.frames).not.toContain("events");
  });

  it("[R4][R9] is encoded once, not once per client", () => {
    const event = { tick: 1, kind: 0, data: "1", only: 0, except: 0 };
    const post = new EventPost([event, { ...event, only: 2 }], 1);
    expect(post.framesFor(1)).toHaveLength(1);
    expect(post.framesFor(2)).toHaveLength(2);
    expect(post.framesFor(2)[0]).toBe(post.framesFor(1)[0]);
  });

  it("[R9][A1] from an action names the seat that has shown it already, and goes with a rejection", () => {
    const { room, ada } = start();
    room.act(ada, { slot: 0 }, { slot: 0 });
    room.windows(2);
    expect(heard(ada)).toEqual([
      [4, "call", null],
      [5, "answered", { tick: 5 }],
    ]);
    expect(ada.events.map(({ except }) => except)).toEqual([ada.welcome.seat, 0]);
    expect(ada.receipts.map(({ status }) => status)).toEqual(["admitted", "rejected", "settled"]);
  });

  it("[R9] of a join is heard by those who are there, not by who comes nor by who is away", () => {
    const { room, ada, bob } = start();
    room.drop(bob);
    const eve = room.join(3);
    room.windows(1);
    expect(heard(ada)).toEqual([[4, "welcome", eve.welcome.seat]]);
    room.resume(bob);
    room.windows(2);
    expect([...bob.events, ...eve.events]).toEqual([]);
  });

  it("[R9][T6] of an abandoned window is never sent, and that of its repetition once", () => {
    const { room, ada, bob } = start();
    room.command(ada, { clap: true }, { boom: true });
    room.windows(1);
    expect(ada.events).toEqual([]);
    room.windows(2);
    expect(heard(bob)).toEqual([[4, "clap", { by: ada.welcome.seat }]]);
  });

  it("[R9][D6] isn't sent when storage refuses its window, and once when it takes it", () => {
    const { room, ada, store } = start();
    store.failing = true;
    room.command(ada, { clap: true });
    room.windows(1);
    expect(ada.events).toEqual([]);
    store.failing = false;
    room.windows(2);
    expect(heard(ada)).toEqual([[4, "clap", { by: ada.welcome.seat }]]);
  });

  it("[R9][D2] goes with its window also where that is provisional", () => {
    const { room, ada } = start({ commitEvery: 4 });
    room.command(ada, { clap: true });
    room.windows(1);
    expect(ada.snapshot.durable).toBe(0);
    expect(heard(ada)).toEqual([[4, "clap", { by: ada.welcome.seat }]]);
  });

  it("[X1][R9] past the limit of a window is dropped and counted", () => {
    const { room, ada } = start();
    room.command(ada, { applaud: true });
    room.windows(1);
    expect(ada.events.length).toBe(LIMITS.eventsPerWindow);
    expect(room.core.stats().eventsDropped).toBe(1);
  });

  it("[R9][D4] leaves no trace: state and ledger replay alike", () => {
    const { room, ada } = start();
    room.command(ada, { clap: true }, { whisper: true });
    room.act(ada, { slot: 0 }, { slot: 0 });
    room.windows(3);
    expect(replay<Hall>({ game: hall, hooks, recorded: room.core.export() }).firstDifference).toBeUndefined();
  });

  it("[R9] of an unknown name, or with what is no JSON, is the game's mistake", () => {
    const { room } = start();
    const { world } = room.core;
    expect(() => world.emit("clapp" as "clap", { by: 1 })).toThrow(/no event "clapp"/);
    expect(() => world.emit("clap", { by: 1n } as never)).toThrow(TypeError);
  });
});
