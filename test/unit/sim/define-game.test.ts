import { describe, expect, it } from "vitest";
import { LIMITS } from "../../../protocol/index.ts";
import {
  action,
  angle,
  axis,
  DefinitionError,
  defineGame,
  flag,
  fragment,
  int,
  num,
  oneOf,
  press,
} from "../../../sim/index.ts";

interface Loose {
  [key: string]: unknown;
}
const valid: Loose = {
  name: "ok",
  version: 1,
  tickRate: 60,
  input: { move: axis() },
  fragments: { body: fragment({ x: num({ step: 0.5, rate: "vx" }), vx: num({ step: 1 }) }) },
  archetypes: { player: { fragments: ["body"] } },
};
const define = (changes: Loose) => defineGame({ ...valid, ...changes } as never);
const body = (fields: Loose) => ({ fragments: { body: { fields } } });

describe("defineGame", () => {
  it("accepts what is well formed", () => {
    expect(define({}).dt).toBeCloseTo(1 / 60);
  });

  it.each<[string, Loose, RegExp]>([
    ["a bad name", { name: "My Game" }, /name: must be/],
    ["version 0", { version: 0 }, /version: must be a whole number from 1/],
    ["a fractional tick rate", { tickRate: 59.94 }, /tickRate: must be a whole number/],
    ["a step of 0", body({ x: num({ step: 0 }) }), /field body\.x: step must be a positive number, got 0/],
    [
      "min above max",
      body({ x: num({ step: 1, min: 2, max: 1, default: 2 }) }),
      /body\.x: min 2 must be below/,
    ],
    ["a range beyond 32 bits", body({ x: num({ step: 1e-9, max: 1000 }) }), /more steps of .* than 32 bits/],
    ["a default out of range", body({ x: num({ step: 1, max: 1, default: 5 }) }), /default 5 is outside/],
    ["a tolerance below a step", body({ x: num({ step: 1, tolerance: 0.1 }) }), /at least one step/],
    ["an integer with fractions", body({ x: int({ min: 0.5, max: 3 }) }), /body\.x: must be a whole number/],
    ["an empty enumeration", body({ x: oneOf([]) }), /needs 1 to 256 values/],
    ["a value listed twice", body({ x: oneOf(["a", "a"]) }), /lists a value twice/],
    ["an angle of 0 bits", body({ x: angle({ bits: 0 }) }), /body\.x: must be a whole number from 1 to 16/],
    ["something that is no field", body({ x: { kind: "text" } }), /is not a field/],
    ["a name with a dot", body({ "a.b": flag() }), /field body\.a\.b: a name must/],
    ["a rate that isn't there", body({ x: num({ step: 1, rate: "w" }) }), /its rate "w" is no field/],
    ["a rate of itself", body({ x: num({ step: 1, rate: "x" }) }), /can't be its own rate/],
    ["a rate that is a flag", body({ x: num({ step: 1, rate: "v" }), v: flag() }), /must be a num/],
    [
      "one rate for two fields",
      body({ x: num({ step: 1, rate: "v" }), y: num({ step: 1, rate: "v" }), v: num({ step: 1 }) }),
      /is the rate of body\.x already/,
    ],
    ["an unknown fragment", { archetypes: { player: { fragments: ["bdy"] } } }, /no fragment "bdy"/],
    [
      "a fragment named twice",
      { archetypes: { player: { fragments: ["body", "body"] } } },
      /a fragment twice/,
    ],
    ["no fragments", { archetypes: { player: { fragments: [] } } }, /needs at least one fragment/],
    [
      "rollback of a fragment that it lacks",
      { archetypes: { player: { fragments: ["body"], rollback: ["legs"] } } },
      /rollback names "legs"/,
    ],
    [
      "both predicted and external",
      { archetypes: { player: { fragments: ["body"], predict: "owner", external: true } } },
      /can't be both/,
    ],
    [
      "an external without a pose",
      { archetypes: { lift: { fragments: ["body"], external: true } } },
      /externals\.lift/,
    ],
    ["a pose for nobody", { externals: { ghost: () => undefined } }, /externals\.ghost: names no archetype/],
    ["a system in no phase", { systems: { render: [] } }, /systems\.render: is no phase; there are input/],
    ["a reserved name", { fragments: { owner: fragment({ x: flag() }) } }, /that name is taken/],
    ["an action without rules", { actions: { fire: action() } }, /action fire: needs actionRules\.fire/],
    ["rules for no action", { actionRules: { fire: { admit: () => ({ admit: null }) } } }, /names no action/],
    [
      "a press among an action's parameters",
      { actions: { fire: action({ params: { now: press() } }) } },
      /parameter now can't be a press/,
    ],
    ["a deadline of 0", { actions: { fire: action({ deadlineTicks: 0 }) } }, /fire, deadlineTicks: must be/],
    ["an endless hold", { missingInput: { rule: "hold", maxTicks: 1e9 } }, /missingInput\.maxTicks/],
  ])("refuses %s and says where", (_, changes, message) => {
    expect(() => define(changes)).toThrow(DefinitionError);
    expect(() => define(changes)).toThrow(message);
  });

  it("[X1][L1] takes a rewind up to its limit, and of an action only where there is somebody to see", () => {
    expect(() => define({ rewindMs: LIMITS.rewindMs })).not.toThrow();
    expect(() => define({ rewindMs: LIMITS.rewindMs + 1 })).toThrow(/rewindMs: must be a whole number/);
    const shoots = { actions: { shoot: action({ rewind: true }) }, actionRules: { shoot: {} } };
    expect(() => define(shoots)).toThrow(/action shoot: looks back, but no archetype/);
    const seen = { archetypes: { player: { fragments: ["body"], rewind: true } } };
    expect(() => define({ ...shoots, ...seen })).not.toThrow();
  });

  it("[X1][R9] takes up to 256 kinds of events, with names that can be said", () => {
    const kinds = (count: number) => ({
      events: Object.fromEntries(Array.from({ length: count }, (_, i) => [`e${i}`, {}])),
    });
    expect(() => define(kinds(256))).not.toThrow();
    expect(() => define(kinds(257))).toThrow(/events: there can be at most 256/);
    expect(() => define({ events: { "loud bang": {} } })).toThrow(/event loud bang: a name must/);
  });

  it("[W2] changes the fingerprint with everything that the wire depends on, and with nothing else", () => {
    const base = define({}).schema.fingerprint;
    expect(define({}).schema.fingerprint).toBe(base);
    expect(define({ version: 2 }).schema.fingerprint).toBe(base);
    const others = [
      define({ tickRate: 30 }),
      define({ input: { move: axis(), aim: angle() } }),
      define(body({ x: num({ step: 0.25, rate: "vx" }), vx: num({ step: 1 }) })),
      define(body({ x: num({ step: 0.5 }), vx: num({ step: 1 }) })),
      define({ archetypes: { player: { fragments: ["body"], predict: "owner" } } }),
      define({ archetypes: { hero: { fragments: ["body"] } } }),
      define({ missingInput: { rule: "neutral" } }),
      define({ events: { boom: {} } }),
      define({ events: { bang: {} } }),
      define({ actions: { fire: action() }, actionRules: { fire: { admit: () => ({ admit: null }) } } }),
    ].map((game) => game.schema.fingerprint);
    expect(new Set([base, ...others]).size).toBe(others.length + 1);
  });

  it("[P4] gives positions, velocities and angles their standard tolerances, discrete fields none", () => {
    const game = defineGame({
      name: "tolerances",
      version: 1,
      tickRate: 60,
      input: {},
      fragments: {
        body: fragment({
          x: num({ step: 0.01, rate: "vx" }),
          vx: num({ step: 0.01 }),
          fine: num({ step: 0.01 }),
          coarse: num({ step: 0.5, rate: "vc" }),
          vc: num({ step: 2 }),
          given: num({ step: 0.01, tolerance: 0.3 }),
          heading: angle(),
          score: int({ min: 0, max: 9 }),
        }),
      },
      archetypes: { player: { fragments: ["body"] } },
    });
    const fields = game.schema.archetypes[0]?.fields ?? [];
    const tolerances = fields.map((field) => Number(field.tolerance.toFixed(3)));
    expect(tolerances).toEqual([0.05, 0.5, 0.01, 0.5, 2, 0.3, 0.401, 0]);
  });
});
