import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DeliveryQueue } from "../../../client-sdk/delivery-queue.ts";

function queueAt(consumed: number, commands = 0, credit = consumed + 128): DeliveryQueue {
  const queue = new DeliveryQueue();
  queue.open(consumed, consumed, credit);
  for (let i = 0; i < commands; i++) queue.put(new Uint8Array([i]), {});
  return queue;
}
const numbers = (entries: readonly { seq: number }[]) => entries.map((entry) => entry.seq);

describe("DeliveryQueue", () => {
  it("[I2] numbers commands on from what was consumed, over 65,535 as over any other number", () => {
    expect(numbers(queueAt(65_534, 3).unconsumed())).toEqual([65_535, 65_536, 65_537]);
    expect(numbers(queueAt(0, 3).unconsumed())).toEqual([1, 2, 3]);
  });

  it("[I3] gives an ordered connection each command once", () => {
    const queue = queueAt(0, 3);
    expect(numbers(queue.take(128, "ordered"))).toEqual([1, 2, 3]);
    expect(queue.take(128, "ordered")).toEqual([]);
    queue.put(new Uint8Array(1), {});
    expect(numbers(queue.take(128, "ordered"))).toEqual([4]);
  });

  it("[I3] gives a lossy link everything unconsumed again", () => {
    const queue = queueAt(0, 3);
    queue.take(128, "lossy");
    queue.acknowledge(1, 0, 128);
    expect(numbers(queue.take(128, "lossy"))).toEqual([2, 3]);
  });

  it("[I3] sends what isn't consumed again on a new connection, with the same numbers and content", () => {
    const queue = queueAt(0, 4);
    const first = queue.take(128, "ordered");
    queue.reconnect(2, 1, 130);
    const again = queue.take(128, "ordered");
    expect(numbers(again)).toEqual([3, 4]);
    expect(again).toEqual(first.slice(2));
  });

  it("[I3] keeps a command until durable covers it, though it is consumed", () => {
    const queue = queueAt(0, 3);
    queue.acknowledge(3, 1, 131);
    expect(queue.pending).toBe(0);
    // The room crashes and has consumed only 1: 2 and 3 are still here.
    queue.reconnect(1, 1, 129);
    expect(numbers(queue.unconsumed())).toEqual([2, 3]);
    queue.acknowledge(3, 3, 131);
    queue.reconnect(1, 1, 129);
    expect(queue.unconsumed()).toEqual([]);
  });

  it("[I3] keeps what a replay still needs when durable overtakes the snapshot that consumes", () => {
    const queue = queueAt(0, 4);
    queue.cover(3);
    expect(queue.durable).toBe(3);
    queue.acknowledge(1, 1, 129);
    expect(numbers(queue.unconsumed())).toEqual([2, 3, 4]);
    queue.acknowledge(3, 3, 131);
    expect(numbers(queue.unconsumed())).toEqual([4]);
    expect(queue.covers(2)).toBe(false);
  });

  it("[I3] drops everything when another input session opens, and renumbers nothing", () => {
    const queue = queueAt(0, 5);
    queue.open(0, 0, 128);
    expect(queue.unconsumed()).toEqual([]);
    expect(queue.nextSeq).toBe(1);
  });

  it("[I6] sends nothing beyond the credit, and says when there is none left", () => {
    const queue = queueAt(0, 2, 3);
    expect(queue.hasCredit).toBe(true);
    queue.put(new Uint8Array(1), {});
    expect(queue.hasCredit).toBe(false);
    queue.acknowledge(1, 1, 4);
    expect(queue.hasCredit).toBe(true);
    queue.reconnect(1, 1, 2);
    expect(numbers(queue.take(128, "ordered"))).toEqual([2]);
  });

  it("[I3] carries every command over any mix of batches, reconnects and acknowledgements", () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant("put" as const), n: fc.integer({ min: 1, max: 5 }) }),
      fc.record({ kind: fc.constant("take" as const), n: fc.integer({ min: 1, max: 8 }) }),
      fc.record({ kind: fc.constant("reconnect" as const), n: fc.constant(0) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 100 }), (steps) => {
        const queue = queueAt(0, 0, 1e6);
        let made = 0;
        // What a room would have: commands in order without a gap.
        let arrived = 0;
        const deliver = (max: number) => {
          for (const { seq } of queue.take(max, "ordered")) {
            expect(seq).toBeLessThanOrEqual(arrived + 1);
            arrived = Math.max(arrived, seq);
          }
        };
        for (const { kind, n } of steps) {
          if (kind === "put") for (let i = 0; i < n; i++) made = queue.put(new Uint8Array(1), {}).seq;
          else if (kind === "take") deliver(n);
          else queue.reconnect(Math.floor(arrived / 2), Math.floor(arrived / 4), 1e6);
        }
        queue.reconnect(Math.floor(arrived / 2), Math.floor(arrived / 4), 1e6);
        deliver(1e6);
        expect(arrived).toBe(made);
      }),
    );
  });
});
