import { describe, expect, it } from "vitest";
import type { Receipt } from "../../../protocol/index.ts";
import { hit, late, receipt } from "./gunners.ts";
import { RangeRoom } from "./range-room.ts";

/** Command 17 leaps against the wall and fires, command 18 steps back; the room has consumed 16. */
function afterTheShot() {
  const room = new RangeRoom();
  room.join();
  const handle = room.client.actions.fire({ aim: 1 });
  room.play({ leap: true });
  room.play({ back: true });
  const outcomes: unknown[] = [];
  void handle.settled.then((outcome) => outcomes.push(outcome));
  return { room, handle, outcomes };
}

type Message = "ack" | "pending" | "final" | "baseline";
const MESSAGES: readonly Message[] = ["ack", "pending", "final", "baseline"];

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, i) =>
    permutations([...items.slice(0, i), ...items.slice(i + 1)]).map((rest) => [item, ...rest]),
  );
}

/** Says a message. A baseline comes after a reconnect, and was taken before or after the end of the action. */
function deliver(
  room: RangeRoom,
  message: Message,
  final: Receipt,
  covering: 1 | 2,
  state: { acked: boolean },
) {
  switch (message) {
    case "ack":
      state.acked = true;
      room.put(10, 8);
      room.snap({ tick: 600, consumed: 17, receiptHead: 1 });
      return;
    case "pending":
      room.receipts(receipt());
      return;
    case "final":
      room.receipts(final);
      return;
    case "baseline": {
      // The room has consumed 17, whether its acknowledgement arrived or not.
      room.reconnect({ consumed: 17, durable: 17, tick: 606, receiptHead: 2 });
      room.baseline([covering === 1 ? receipt() : final], { covering });
      return;
    }
  }
}

const ORDERS = permutations(MESSAGES).flatMap((order) =>
  ([1, 2] as const).flatMap((covering) => [
    { order, covering, final: "hit" as const },
    { order, covering, final: "late" as const },
  ]),
);

describe("worked cases", () => {
  it.each(ORDERS)(
    "[A2] [A5] [A6] [P8] case 3 and 4: $order, the baseline up to $covering, ends with one $final, one muzzle, and 18 replayed",
    async ({ order, covering, final }) => {
      const { room, handle, outcomes } = afterTheShot();
      const last = final === "hit" ? hit() : late();
      const state = { acked: false };
      expect(room.xAfter(17)).toBe(10);
      expect(room.xAfter(18)).toBe(9);
      for (const message of order) {
        deliver(room, message, last, covering, state);
        // Whatever has arrived of the action, movement isn't touched by it.
        expect(room.xAfter(18)).toBe(9);
      }
      // Everything once more: repeats change nothing.
      room.receipts(receipt());
      room.receipts(last);
      room.baseline([receipt()], { covering: 1, baselineId: 2 });
      await Promise.resolve();
      const seen = room.log.receipts.map(({ status }) => status);
      expect(seen.filter((status) => status !== "admitted")).toEqual([last.status]);
      expect(seen.filter((status) => status === "admitted").length).toBeLessThanOrEqual(1);
      expect(seen.at(-1)).toBe(last.status);
      expect(room.muzzles).toEqual(["play 17 muzzle", "accept 17 muzzle", "end 17 muzzle"]);
      expect(handle.status).toBe(last.status);
      expect(outcomes).toMatchObject([{ status: last.status, seq: 17, tick: last.tick }]);
      expect(room.client.stats()).toMatchObject({ pendingInputs: 1, openActions: 0, hardApplies: 0 });
      expect(room.log.faults).toEqual([]);
      // 18 has been replayed exactly on what 17 left behind.
      expect(room.xAfter(18)).toBe(9);
    },
  );

  it("[A5] case 3: a final receipt doesn't take 17 out of the replay that its snapshot still needs", () => {
    const { room } = afterTheShot();
    room.receipts(receipt(), hit());
    // A snapshot from before 17 that differs: 17 and 18 are replayed, and shoot nothing again.
    room.put(7);
    room.snap({ tick: 600, consumed: 16, receiptHead: 2 });
    expect(room.xAfter(17)).toBe(10);
    expect(room.xAfter(18)).toBe(9);
    expect(room.client.stats().pendingInputs).toBe(2);
    expect(room.muzzles).toEqual(["play 17 muzzle", "accept 17 muzzle", "end 17 muzzle"]);
  });

  it.each([
    ["at the deadline tick", hit({ number: 3, tick: 606 })],
    ["a tick later", hit({ number: 3, tick: 607 })],
    ["under a later revision", hit({ number: 3, tick: 607, revision: 3 })],
  ])("[A2] [A3] case 4: a hit that comes %s changes nothing about the time-out", (_, tooLate) => {
    const { room, handle } = afterTheShot();
    room.receipts(receipt(), late());
    room.receipts(tooLate);
    expect(handle.status).toBe("timedOut");
    expect(room.log.receipts.map(({ status }) => status)).toEqual(["admitted", "timedOut"]);
    expect(room.muzzles).toEqual(["play 17 muzzle", "accept 17 muzzle", "end 17 muzzle"]);
    expect(room.log.faults).toMatchObject([{ name: "WireError" }]);
  });

  it("[P7] [S5] case 5: away for 5 s, it stops making commands, says which are void, and renumbers none", async () => {
    const { room, handle } = afterTheShot();
    room.snap({ tick: 600, consumed: 16 });
    room.client.input.set({ stride: true });
    room.client.closed(1006, "", room.nowMs);
    const lost = room.client.actions.fire({ aim: 2 });
    room.pass(5000);
    const made = 16 + room.client.stats().pendingInputs;
    expect(made).toBeLessThanOrEqual(16 + 128);
    expect(lost.identity).toMatchObject({ session: 1, seq: 19 });
    room.sent.length = 0;
    room.client.opened(room.nowMs);
    // It knows its place, but gives the commands of then up.
    expect(room.sentOf("hello")).toMatchObject([{ inputSession: 1, nextSeq: made + 1, oldestSeq: made + 1 }]);
    room.welcome(room.nowMs, { consumed: 17, durable: 17, tick: 900, windowTicks: 1, receiptHead: 1 });
    room.put(10, 8);
    room.snap({ tick: 900, consumed: 17, receiptHead: 1 });
    room.pass(100);
    expect(room.client.stats().epoch).toBe(2);
    // Nothing old is replayed, nothing new is made.
    expect(room.client.view.own?.body.x).toBe(10);
    expect(room.sentOf("input").flatMap(({ commands }) => commands)).toEqual([]);
    room.receipts(receipt());
    const closing = { type: "session", session: 1, reason: "replay-bound", finalConsumed: 17 } as const;
    room.say(room.nowMs, { ...closing, phase: "closing", finalConsumed: 0, opened: 0 });
    room.say(room.nowMs, { ...closing, phase: "closed", opened: 5 });
    expect(room.log.voids).toMatchObject([{ session: 1, from: 18, to: made, reason: "replay-bound" }]);
    expect(room.log.voids[0]?.actions).toEqual([lost]);
    expect(await lost.settled).toEqual({ status: "void" });
    expect(handle.status).toBe("admitted");
    expect(room.log.effects).toContain("cancel 19 muzzle");
    room.snap({ tick: 906, consumed: 0, inputSession: 5 });
    room.pass(100);
    const after = room
      .sentOf("input")
      .flatMap(({ inputSession, commands }) => commands.map(({ seq }) => [inputSession, seq]));
    expect(after[0]).toEqual([5, 1]);
    expect(after.every(([session]) => session === 5)).toBe(true);
    // The action of the old session ends under its own identity.
    room.receipts(hit());
    expect(await handle.settled).toMatchObject({ status: "settled", session: 1, seq: 17 });
  });

  it("[D2] [P4] case 6: after a crash it sends what was consumed but not durable again, and shows nothing twice", () => {
    const { room, handle } = afterTheShot();
    // Consumed in windows that were sent, but not committed.
    room.put(9, 8);
    room.snap({ tick: 601, consumed: 18, durable: 16 });
    room.play({ back: true });
    expect(room.client.stats()).toMatchObject({ consumed: 18, durable: 16, pendingInputs: 1 });
    room.sent.length = 0;
    room.reconnect({ consumed: 16, durable: 16, tick: 599, incarnation: 2 });
    expect(room.sentOf("input")[0]?.commands.map(({ seq }) => seq)).toEqual([17, 18, 19]);
    room.put(8, 9);
    room.snap({ tick: 599, consumed: 16, incarnation: 2 });
    expect([17, 18, 19].map((seq) => room.xAfter(seq))).toEqual([10, 9, 8]);
    expect(room.muzzles).toEqual(["play 17 muzzle"]);
    room.receipts(receipt(), hit());
    expect(handle.status).toBe("settled");
    expect(room.muzzles).toEqual(["play 17 muzzle", "accept 17 muzzle", "end 17 muzzle"]);
  });
});
