import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Sampler } from "../../../client-sdk/sampler.ts";
import { axis, defineGame, fragment, held, num, press, unpackCommand } from "../../../sim/index.ts";

const { schema } = defineGame({
  name: "controls",
  version: 1,
  tickRate: 60,
  input: { move: axis(), sprint: held(), fire: press() },
  fragments: { body: fragment({ x: num({ step: 1 }) }) },
  archetypes: { body: { fragments: ["body"] } },
});

const commandOf = (sampler: Sampler) => unpackCommand(schema, sampler.take().bytes);

describe("Sampler", () => {
  it("[I1] keeps held controls from command to command until they are set again", () => {
    const sampler = new Sampler(schema);
    sampler.set({ move: 1, sprint: true });
    expect(commandOf(sampler)).toEqual({ move: 1, sprint: true, fire: false });
    expect(commandOf(sampler)).toEqual({ move: 1, sprint: true, fire: false });
    sampler.set({ move: -1 });
    expect(commandOf(sampler)).toEqual({ move: -1, sprint: true, fire: false });
  });

  it("[I1] gives a press that was released before the tick to exactly one command", () => {
    const sampler = new Sampler(schema);
    sampler.set({ fire: true });
    sampler.set({ fire: false });
    expect([1, 2, 3].map(() => commandOf(sampler).fire)).toEqual([true, false, false]);
  });

  it("[I1] gives a press that is held down over many ticks to exactly one command", () => {
    const sampler = new Sampler(schema);
    sampler.set({ fire: true });
    sampler.set({ fire: true });
    expect([1, 2, 3].map(() => commandOf(sampler).fire)).toEqual([true, false, false]);
    sampler.set({ fire: true });
    expect(commandOf(sampler).fire).toBe(false);
  });

  it("[I1] gives two presses between two ticks to two commands", () => {
    const sampler = new Sampler(schema);
    sampler.press("fire");
    sampler.press("fire");
    expect([1, 2, 3].map(() => commandOf(sampler).fire)).toEqual([true, true, false]);
  });

  it("[I1] can't express values out of range or NaN", () => {
    const sampler = new Sampler(schema);
    sampler.set({ move: 17 });
    expect(commandOf(sampler).move).toBe(1);
    sampler.set({ move: Number.NaN });
    expect(commandOf(sampler).move).toBe(0);
  });

  it("[I1] refuses a control that the game doesn't have, and a press of one that isn't a press", () => {
    const sampler = new Sampler(schema);
    expect(() => sampler.set({ jump: true })).toThrow('this game has no control "jump"');
    expect(() => sampler.press("sprint")).toThrow('"sprint" is not a press control');
  });

  it("[I1] assigns every edge to exactly one command, whatever the interleaving of frames and ticks", () => {
    const event = fc.constantFrom("down", "up", "press", "tick");
    fc.assert(
      fc.property(fc.array(event, { maxLength: 200 }), (events) => {
        const sampler = new Sampler(schema);
        let isDown = false;
        let edges = 0;
        let fired = 0;
        for (const happening of events) {
          if (happening === "tick") fired += commandOf(sampler).fire ? 1 : 0;
          else if (happening === "press") {
            sampler.press("fire");
            edges++;
          } else {
            const down = happening === "down";
            if (down && !isDown) edges++;
            isDown = down;
            sampler.set({ fire: down });
          }
          expect(fired).toBeLessThanOrEqual(edges);
        }
        for (let i = 0; i < events.length; i++) fired += commandOf(sampler).fire ? 1 : 0;
        expect(fired).toBe(edges);
      }),
    );
  });
});
