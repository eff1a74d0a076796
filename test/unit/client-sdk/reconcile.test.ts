import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SeatId } from "../../../sim/index.ts";
import { type Controls, onField, onLine, SEAT } from "./duel.ts";

describe("reconciliation", () => {
  it("[P4] worked case 1: predicted 5.1 after 101, the room says 5.0: the present becomes 5.4 instead of 5.5", () => {
    const { duel, place, set } = onLine(100, 4.9);
    for (let i = 0; i < 3; i++) duel.press({ stride: true });
    expect(place()).toBeCloseTo(5.5, 5);
    duel.run({ stride: true });
    set(5.0);
    const result = duel.hear();
    expect(result).toMatchObject({ how: "replayed", changed: true, replayedTicks: 2 });
    expect(result.distance).toBeCloseTo(0.1, 5);
    expect(place()).toBeCloseTo(5.4, 5);
  });

  it.each([16, 65_535, 0xffff_0000])(
    "[P4] worked case 2: replays 17 and 18 against the wall, with 16 numbered %i",
    (sixteen) => {
      const { duel, place } = onLine(sixteen, 8);
      duel.press({ leap: true });
      duel.press({ back: true });
      expect(duel.queue.unconsumed().map((entry) => entry.seq)).toEqual([sixteen + 1, sixteen + 2]);
      expect(place()).toBe(9);
      // The room ran a tick without a command: the state is the same, the ticks aren't.
      duel.run();
      expect(duel.hear()).toMatchObject({ how: "replayed", changed: false, replayedTicks: 2 });
      expect(place()).toBe(9);
      duel.run({ leap: true });
      expect(duel.hear().how).toBe("kept");
      expect(place()).toBe(9);
      duel.run();
      expect(duel.hear()).toMatchObject({ how: "replayed", changed: false, replayedTicks: 1 });
      expect(place()).toBe(9);
    },
  );

  it("[P4] keeps the present when the state of the same command and tick is within tolerance", () => {
    const { duel, place, set } = onLine(0, 1);
    duel.press({ stride: true });
    duel.press({ stride: true });
    duel.run({ stride: true });
    set(1.24);
    expect(duel.hear()).toMatchObject({ how: "kept", replayedTicks: 0 });
    expect(place()).toBeCloseTo(1.4, 5);
  });

  it("[P4] compares with the frame of the acknowledged command, not with the present", () => {
    const { duel } = onLine(0, 0);
    // The present is where the room will be in 20 ticks; a comparison with it would see an error of 4.
    for (let i = 0; i < 20; i++) duel.press({ stride: true });
    for (let i = 0; i < 20; i++) {
      duel.run({ stride: true });
      expect(duel.hear().how).toBe("kept");
    }
  });

  it("[P4] measures a position error as a length over all its axes", () => {
    const { duel, real } = onField();
    const off = (x: number, y: number) => {
      duel.press({});
      duel.run({});
      (real() as { place: { x: number; y: number } }).place.x += x;
      (real() as { place: { x: number; y: number } }).place.y += y;
      return duel.hear().how;
    };
    expect(off(0.034, 0.034)).toBe("kept");
    expect(off(0.04, 0.04)).toBe("replayed");
  });

  it("[P4] compares angles the short way round and discrete rollback state exactly", () => {
    const { duel, real } = onField();
    type Player = { place: { heading: number }; luck: { hops: number } };
    duel.press({});
    duel.run({});
    (real() as Player).place.heading = 2 * Math.PI + 0.1;
    expect(duel.hear().how).toBe("kept");
    duel.press({});
    duel.run({});
    (real() as Player).luck.hops += 2;
    expect(duel.hear()).toMatchObject({ how: "replayed", changed: true, distance: 0 });
  });

  it("[P4] takes over the room's value of fields that prediction doesn't compute, and replays nothing for it", () => {
    const { duel, own, real } = onField();
    duel.press({});
    duel.press({});
    duel.run({});
    (real() as { score: { points: number } }).score.points = 7;
    expect(duel.hear().how).toBe("kept");
    expect((own() as { score: { points: number } }).score.points).toBe(7);
  });

  it("[P4] applies the room's state outright when there is no frame to compare with, and says so", () => {
    const { duel, own, real } = onField();
    for (let i = 0; i < 3; i++) duel.press({ moveX: 1 });
    // Commands of this seat that this client never predicted, as after a page lost its memory.
    duel.consumed = 200;
    duel.queue.open(200, 200, 328);
    for (let i = 0; i < 5; i++) duel.run({ moveX: -1 });
    expect(duel.hear()).toMatchObject({ how: "hard", changed: true });
    expect(own()?.place.x).toBe(real()?.place.x);
  });

  it("[P2] restores everything that the next step reads, to the bit: the seat's luck included", () => {
    const { duel, own, real } = onField();
    const commands = Array.from({ length: 30 }, (_, i) => ({
      moveX: Math.sin(i),
      moveY: Math.cos(i),
      gamble: i % 3 === 0,
      hop: i % 5 === 0,
    }));
    for (const command of commands) duel.press(command);
    // Pushed sideways at the first tick: all that follows is replayed from there.
    duel.run(commands[0]);
    (real() as { place: { vx: number } }).place.vx += 5;
    expect(duel.hear()).toMatchObject({ how: "replayed", changed: true, replayedTicks: 29 });
    for (const command of commands.slice(1)) {
      duel.run(command);
      expect(duel.hear().how).toBe("kept");
    }
    expect(duel.prediction.world.rowOf(own()?.id ?? 0)?.cells).toEqual(
      duel.room.rowOf(real()?.id ?? 0)?.cells,
    );
    expect(duel.prediction.world.seatRandomState(SEAT)).toBe(duel.room.seatRandomState(SEAT));
  });

  it("[P4] treats another random state as a difference, though all fields agree", () => {
    const { duel } = onField();
    duel.press({});
    duel.run({});
    duel.room.setSeatRandomState(SEAT, 12_345);
    expect(duel.hear()).toMatchObject({ how: "replayed", changed: false });
    expect(duel.prediction.world.seatRandomState(SEAT)).toBe(12_345);
  });

  it("[P6] moves the queue to later ticks when the room ran without a command, and reads the lift there", () => {
    const { duel, own, real } = onField();
    (real() as { place: { y: number } }).place.y = 50;
    duel.run();
    duel.hear();
    for (let i = 0; i < 10; i++) duel.press({});
    for (let i = 0; i < 4; i++) duel.run();
    expect(duel.hear()).toMatchObject({ how: "replayed", replayedTicks: 10 });
    expect(duel.prediction.tick).toBe(duel.room.tick + 10);
    for (let i = 0; i < 10; i++) {
      duel.run({});
      expect(duel.hear().how).toBe("kept");
    }
    expect(own()?.place.y).toBe(real()?.place.y);
  });

  it("[P4] takes a spawn, a respawn and an end of the own entity for structure, not for a correction", () => {
    const { duel, own, ref } = onField();
    duel.press({});
    duel.run({});
    const second = duel.room.spawn("player", { place: { x: 80 } }, { owner: SEAT });
    duel.press({});
    duel.run({});
    expect(duel.hear()).toMatchObject({ how: "replayed", changed: false });
    expect(duel.prediction.world.get(second)?.place.x).toBe(80);
    duel.room.despawn(ref);
    duel.press({});
    duel.run({});
    expect(duel.hear()).toMatchObject({ how: "replayed", changed: false });
    expect(own()).toBeUndefined();
  });

  it("[P1] predicts own entities and externals, and nothing else", () => {
    const { duel } = onField();
    duel.room.spawn("player", { place: { x: 1 } }, { owner: 9 as SeatId });
    duel.run({});
    duel.hear();
    const kinds = [...duel.prediction.world.ids()].map((id) => duel.prediction.world.byId(id)?.archetype);
    expect(kinds.sort()).toEqual(["lift", "player"]);
  });

  it("[P4] ends where the room ends, for any mix of commands, missed ticks, pushes and snapshots", () => {
    const happening = fc.record({
      kind: fc.constantFrom("press", "press", "press", "run", "run", "miss", "push", "hear"),
      axis: fc.double({ min: -1, max: 1, noNaN: true }),
      button: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(happening, { maxLength: 120 }), (happenings) => {
        const { duel, own, real } = onField();
        const waiting: Controls[] = [];
        for (const { kind, axis, button } of happenings) {
          if (kind === "press" && waiting.length < 120) {
            const command = { moveX: axis, moveY: -axis, gamble: button, hop: !button };
            waiting.push(command);
            duel.press(command);
          } else if (kind === "run") duel.run(waiting.shift());
          else if (kind === "miss") duel.run();
          else if (kind === "push") (real() as { place: { x: number } }).place.x += 10 * axis;
          else if (kind === "hear") duel.hear();
        }
        for (const command of waiting) duel.run(command);
        // One more miss: the snapshot is then of another tick, and restores even what was within tolerance.
        duel.run();
        duel.hear();
        expect(duel.queue.pending).toBe(0);
        expect(duel.prediction.world.rowOf(own()?.id ?? 0)?.cells).toEqual(
          duel.room.rowOf(real()?.id ?? 0)?.cells,
        );
        expect(duel.faults).toEqual([]);
      }),
    );
  });
});
