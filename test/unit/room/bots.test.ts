import { describe, expect, it } from "vitest";
import { LIMITS } from "../../../protocol/index.ts";
import type { RoomApi, RoomHooks } from "../../../room/core/index.ts";
import { type Mover, mover } from "./mover.ts";
import { Rig } from "./rig.ts";

const bots: NonNullable<RoomHooks<Mover>["bots"]> = { roam: ({ random }) => ({ step: random() < 0.5 }) };

function rig(onCreate: (room: RoomApi<Mover>) => void): Rig<Mover> {
  return new Rig<Mover>(mover, { hooks: { bots, onCreate } });
}

describe("bots", () => {
  it("[T1] think once per tick with a random stream of their own, the same for the same seed", () => {
    const places = [0, 0].map(() => {
      const room = rig((api) => {
        for (const name of ["A", "B"]) api.addBot("roam", { name }).spawn("player");
      });
      room.join(1);
      room.windows(20);
      return [...room.core.world.all("player")].map(({ place }) => ({ x: place.x, ticks: place.ticks }));
    });
    expect(places[0]).toEqual(places[1]);
    expect(places[0]?.map(({ ticks }) => ticks)).toEqual([60, 60]);
    expect(places[0]?.[0]?.x).not.toBe(places[0]?.[1]?.x);
  });

  it("[D3] go on alike after a crash", () => {
    const make = () => rig((api) => void api.addBot("roam", { name: "A" }).spawn("player"));
    const [calm, crashed] = [make(), make()];
    for (const room of [calm, crashed]) {
      room.join(1);
      room.windows(5);
    }
    crashed.crash();
    for (const room of [calm, crashed]) room.windows(5);
    expect(crashed.core.tick).toBe(calm.core.tick);
    expect(crashed.core.world.hash()).toBe(calm.core.world.hash());
  });

  it("[R1] are in the roster as bots", () => {
    const room = rig((api) => void api.addBot("roam", { name: "Rover" }));
    const ada = room.join(1);
    room.windows(1);
    expect(ada.roster.map(({ name, kind }) => [name, kind])).toEqual([
      ["Ada", "player"],
      ["Rover", "bot"],
    ]);
  });

  it("[T8] leave with all that they own when the game removes them", () => {
    const room = new Rig<Mover>(mover, {
      hooks: {
        bots,
        onCreate: (api) => void api.addBot("roam", { name: "A" }).spawn("player"),
        onJoin(seat, api) {
          for (const other of api.seats())
            if (other.kind === "bot" && seat.name === "Bob") api.removeBot(other);
        },
      },
    });
    const ada = room.join(1);
    room.windows(1);
    expect(ada.state.count).toBe(1);
    room.join(2, { name: "Bob" });
    room.windows(1);
    expect(ada.state.count).toBe(0);
    expect(room.core.stats()).toMatchObject({ bots: 0, seats: 2 });
  });

  it("[X1] take a seat each, and no more than there are", () => {
    const add = (count: number) => (api: RoomApi<Mover>) => {
      for (let i = 0; i < count; i++) api.addBot("roam", { name: "A" });
    };
    const value = LIMITS.seats;
    expect(rig(add(value)).core.create({}, 0)).toBe("created");
    expect(() => rig(add(value + 1)).core.create({}, 0)).toThrow("at most");
  });

  it("[T6] need a brain that the room has", () => {
    const room = rig((api) => void api.addBot("roan", { name: "A" }));
    expect(() => room.core.create({}, room.nowMs)).toThrow('no bot brain "roan"');
  });
});
