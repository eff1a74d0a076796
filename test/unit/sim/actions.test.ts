import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type AdmissionResult,
  action,
  angle,
  axis,
  defineGame,
  fragment,
  held,
  int,
  isPackedCommand,
  json,
  num,
  packCommand,
  RoomWorld,
  refId,
  type SeatId,
  unpackCalls,
  unpackCommand,
  World,
} from "../../../sim/index.ts";

const SEAT = 3 as SeatId;
const game = defineGame({
  name: "gun",
  version: 1,
  tickRate: 60,
  input: { move: axis() },
  fragments: { gun: fragment({ ammo: int({ min: 0, max: 9, default: 2 }), spread: num({ step: 0.01 }) }) },
  archetypes: { player: { fragments: ["gun"], predict: "owner" } },
  actions: {
    fire: action({ params: { aim: angle({ bits: 9 }), careful: held() }, capture: json<{ aim: number }>() }),
    wave: action(),
    burst: action(),
  },
  actionRules: {
    fire: {
      admit({ entity, params, effect, random }) {
        entity.gun.spread = random();
        entity.gun.ammo -= 1;
        if (entity.gun.spread < 0) return { reject: "never" };
        effect("muzzle", { aim: params.aim });
        return { admit: { aim: params.aim } };
      },
    },
    wave: {
      admit({ entity }) {
        entity.gun.ammo = 9;
        return { reject: "too-shy" };
      },
    },
    burst: {
      admit() {
        throw new Error("burst pipe");
      },
    },
  },
});
const { schema } = game;

function makeWorld() {
  const world = new RoomWorld(game, 5);
  const ref = world.spawn("player", {}, { owner: SEAT });
  world.commitStructure();
  world.setSeatRandomState(SEAT, 77);
  return { world, ref, gun: () => world.get(ref)?.gun };
}

const call = (slot: number, params = {}) => new Map([[SEAT, [{ slot, seq: 17, params, viewTick: 0 }]]]);

describe("commands with actions", () => {
  it("[A1][I7] packs every mix of actions so that it unpacks to itself and no other bytes mean the same", () => {
    const params = fc.record({ aim: fc.double({ min: 0, max: 6, noNaN: true }), careful: fc.boolean() });
    fc.assert(
      fc.property(fc.subarray([0, 1, 2]), params, (slots, values) => {
        const bytes = packCommand(
          schema,
          { move: 0.5 },
          slots.map((slot) => ({ slot, params: values })),
        );
        expect(isPackedCommand(schema, bytes)).toBe(true);
        expect(bytes.length).toBeLessThanOrEqual(schema.maxCommandBytes);
        const calls = unpackCalls(schema, bytes, 9);
        expect(calls.map(({ slot, seq }) => [slot, seq])).toEqual(slots.map((slot) => [slot, 9]));
        const again = packCommand(schema, unpackCommand(schema, bytes), calls);
        expect(again).toEqual(bytes);
        expect(isPackedCommand(schema, bytes.slice(0, -1))).toBe(false);
        expect(isPackedCommand(schema, new Uint8Array([...bytes, 0]))).toBe(false);
      }),
    );
    const plain = packCommand(schema, {});
    expect(plain.length).toBe(schema.commandBytes);
    plain[1] = 0x80;
    expect(isPackedCommand(schema, plain)).toBe(false);
  });

  it("[A1] takes any bytes for one command or none, and never a parameter out of range", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: schema.maxCommandBytes + 2 }), (bytes) => {
        if (!isPackedCommand(schema, bytes)) return;
        const calls = unpackCalls(schema, bytes, 1);
        expect(packCommand(schema, unpackCommand(schema, bytes), calls).length).toBe(bytes.length);
      }),
    );
  });
});

describe("admission", () => {
  it("[A1] charges in the tick that consumes the command, the same in the room and in prediction", () => {
    const room = makeWorld();
    const id = refId(room.ref);
    const client = new World(game);
    const [, epoch = 0, owner = 0, presence = 0, ...cells] = room.world.rowOf(id)?.cells ?? [];
    client.put(id, epoch, 0, owner, presence, Uint32Array.from(cells));
    client.setSeatRandomState(SEAT, 77);
    const seen: AdmissionResult[] = [];
    const effects: unknown[] = [];
    const options = { calls: call(0, { aim: 1, careful: false }) };
    room.world.step(new Map(), { ...options, onAdmission: (_seat, _call, result) => seen.push(result) });
    client.predict(1, new Map(), {
      ...options,
      onAdmission: (_seat, _call, result) => seen.push(result),
      onEffect: (_seat, { seq, slot }, name, data) => effects.push([seq, slot, name, data]),
    });
    expect(seen).toEqual([
      { admitted: true, capture: { aim: 1 }, rewoundTick: 0 },
      { admitted: true, capture: { aim: 1 }, rewoundTick: 0 },
    ]);
    expect(effects).toEqual([[17, 0, "muzzle", { aim: 1 }]]);
    expect(room.gun()?.ammo).toBe(1);
    expect(client.rowOf(id)?.cells).toEqual(room.world.rowOf(id)?.cells);
    expect(client.seatRandomState(SEAT)).toBe(room.world.seatRandomState(SEAT));
  });

  it("[A1][I10] undoes what a rejected action had changed, and keeps the command's movement", () => {
    const { world, gun } = makeWorld();
    const results: AdmissionResult[] = [];
    world.step(new Map(), { calls: call(1), onAdmission: (_seat, _call, result) => results.push(result) });
    expect(results).toEqual([{ admitted: false, reason: "too-shy", rewoundTick: 0 }]);
    expect(gun()?.ammo).toBe(2);
  });

  it("[I8] rejects an action of a seat that has no living entity", () => {
    const { world, ref } = makeWorld();
    world.despawn(ref);
    const results: AdmissionResult[] = [];
    world.step(new Map(), { calls: call(0), onAdmission: (_seat, _call, result) => results.push(result) });
    expect(results).toEqual([{ admitted: false, reason: "no-entity", rewoundTick: 0 }]);
  });

  it("[T6] names the seat whose action threw", () => {
    const { world } = makeWorld();
    expect(() => world.step(new Map(), { calls: call(2) })).toThrow(
      expect.objectContaining({ name: "SystemFault", system: "admit burst", seat: SEAT }),
    );
  });

  it("[T8] settles at the start of the gameplay phase, after the tick's admissions", () => {
    const { world } = makeWorld();
    const order: string[] = [];
    world.step(new Map(), {
      calls: call(0),
      onAdmission: () => order.push("admitted"),
      settle: ({ tick }) => order.push(`settle at ${tick}`),
    });
    expect(order).toEqual(["admitted", "settle at 1"]);
  });
});
