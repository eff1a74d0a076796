import { describe, expect, it } from "vitest";
import { EVENTS, FLIGHT, ordersOf, Shooter } from "./shots.ts";

/** The shot's number: with the wraps of 16, 31 and nearly 32 bits among the commands around it. */
const NUMBERS = [17, 2 ** 16, 2 ** 31, 2 ** 32 - 1 - 600];
const CASES = NUMBERS.flatMap((shot) => ordersOf(EVENTS).map((order) => ({ shot, order, name: order.join(", ") })));

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
        expect(client.core.predictedAfter(consumed + pendingInputs)).toBeDefined();
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
