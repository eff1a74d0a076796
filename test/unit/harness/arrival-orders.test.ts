import { describe, expect, it } from "vitest";
import { predictedAfter } from "../../../client-sdk/index.ts";
import { DEADLINE, EVENTS, FLIGHT, ordersOf, Shooter } from "./shots.ts";

/** The shot's number: with the wraps of 16, 31 and nearly 32 bits among the commands around it. */
const NUMBERS = [17, 2 ** 16, 2 ** 31, 2 ** 32 - 1 - 600];
const CASES = NUMBERS.flatMap((shot) =>
  ordersOf(EVENTS).map((order) => ({ shot, order, name: order.join(", ") })),
);

describe("worked case 3: a hit that settles four ticks after its admission", () => {
  it.each(CASES)(
    "[A2] [A4] [A5] [A6] [P8] [I2] has one final receipt, one muzzle and one hit as command $shot: $name",
    ({ shot, order }) => {
      const shooter = new Shooter(shot);
      const { client, harness } = shooter;
      shooter.approach();
      shooter.shoot("fire");
      const admittedAt = harness.room.lookup(shooter.session, shot)?.tick ?? 0;
      harness.until(() => harness.room.tick > admittedAt + FLIGHT, { what: "the hit" });
      for (const event of order) {
        shooter.let(event);
        // However the receipts stand, what isn't consumed is still replayed.
        const { consumed, pendingInputs } = client.stats();
        expect(pendingInputs).toBeGreaterThan(0);
        expect(predictedAfter(client.core, consumed + pendingInputs)).toBeDefined();
      }
      harness.calm();
      harness.advance(300);
      expect(shooter.receipts.filter((one) => one === "settled 0")).toHaveLength(1);
      expect(shooter.receipts.at(-1)).toBe("settled 0");
      expect(shooter.effects.filter((one) => one.startsWith("play"))).toEqual(["play 0"]);
      expect(shooter.effects.filter((one) => one.startsWith("cancel"))).toEqual([]);
      expect(shooter.effects.filter((one) => one.startsWith("end"))).toEqual(["end 0"]);
      expect(harness.serverEntity(0)?.values["place.hits"]).toBe(1);
      expect(harness.store.receiptRows.map(({ receipt }) => receipt.status)).toEqual(["admitted", "settled"]);
      expect(client.stats().openActions).toBe(0);
      expect(harness.ledgerProblems()).toEqual([]);
      expect(harness.disagreements()).toEqual([]);
    },
  );
});

describe("worked case 4: an answer that comes at the deadline or after it", () => {
  const cases = [17, 2 ** 16].flatMap((shot) =>
    ordersOf(EVENTS).map((order) => ({ shot, order, name: order.join(", ") })),
  );
  it.each(cases)(
    "[A3] [A2] [A5] [A6] [P8] times out once and stays so as command $shot: $name",
    ({ shot, order }) => {
      for (const late of [0, 1]) {
        const shooter = new Shooter(shot);
        const { client, harness } = shooter;
        shooter.approach();
        shooter.shoot("ask");
        const deadline = (harness.room.lookup(shooter.session, shot)?.tick ?? 0) + DEADLINE;
        const [call] = harness.calls.open;
        // The answer is there for the window that runs that tick.
        harness.until(() => harness.room.tick === deadline - 1 + late, { what: "the deadline" });
        call?.answer("too late");
        harness.until(() => harness.room.tick > deadline + 2, { what: "the time-out" });
        for (const event of order) shooter.let(event);
        harness.calm();
        harness.advance(300);
        expect(harness.store.receiptRows.map(({ receipt }) => [receipt.status, receipt.tick])).toEqual([
          ["admitted", deadline - DEADLINE],
          ["timedOut", deadline],
        ]);
        expect(shooter.receipts.filter((one) => one === "timedOut 0")).toHaveLength(1);
        expect(shooter.receipts.at(-1)).toBe("timedOut 0");
        // The shot was real; only the waiting for its hit ends.
        expect(shooter.effects.filter((one) => one.startsWith("play"))).toEqual(["play 0"]);
        expect(shooter.effects.filter((one) => one.startsWith("cancel"))).toEqual([]);
        expect(harness.store.ledgerRows.flatMap(({ answers }) => answers)).toEqual([]);
        expect(client.stats().openActions).toBe(0);
        expect(harness.ledgerProblems()).toEqual([]);
        expect(harness.disagreements()).toEqual([]);
      }
    },
  );

  it("[A3] settles with an answer that is there one tick before the deadline", () => {
    const shooter = new Shooter(17);
    const { harness } = shooter;
    shooter.approach();
    shooter.shoot("ask");
    const deadline = (harness.room.lookup(shooter.session, 17)?.tick ?? 0) + DEADLINE;
    harness.until(() => harness.room.tick === deadline - 2, { what: "the tick before the deadline" });
    harness.calls.open[0]?.answer("in time");
    harness.calm();
    harness.advance(300);
    expect(shooter.receipts).toEqual(["admitted 0", "settled 0"]);
    expect(harness.store.receiptRows.at(-1)?.receipt).toMatchObject({
      status: "settled",
      result: { said: "in time" },
      tick: deadline - 1,
    });
  });
});
