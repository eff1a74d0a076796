import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ActionRecord } from "../../../client-sdk/action-record.ts";
import { ActionTable } from "../../../client-sdk/action-table.ts";
import { ReceiptInbox } from "../../../client-sdk/receipt-inbox.ts";
import { type BaselineFrame, type ClientFrame, LIMITS, type Receipt } from "../../../protocol/index.ts";
import { hit, receipt } from "./gunners.ts";

function setUp(cursor = 0) {
  const table = new ActionTable();
  const news: Receipt[] = [];
  const conflicts: string[] = [];
  const inbox = new ReceiptInbox({
    table,
    nameOf: (slot) => `action ${slot}`,
    onNews: (item) => news.push(item),
    onConflict: (detail) => conflicts.push(detail),
  });
  if (cursor > 0) inbox.restore([{ session: 1, cursor, baselineId: 0 }]);
  const receive = (...items: Receipt[]) => inbox.receive({ type: "receipts", session: 1, items });
  const part = (items: Receipt[], more: Partial<BaselineFrame> = {}) =>
    inbox.part({
      type: "baseline",
      requestId: 1,
      session: 1,
      requestCursor: 0,
      baselineId: 1,
      covering: 0,
      part: 1,
      parts: 1,
      items,
      ...more,
    });
  const confirm = () => {
    inbox.saved(inbox.save());
    return inbox.confirmations();
  };
  return { table, inbox, news, conflicts, receive, part, confirm };
}

/** How far the only session's receipts have been taken in. */
const cursorOf = (inbox: ReceiptInbox) => inbox.save()[0]?.cursor ?? 0;

/** A stream of this many actions, each admitted and then settled, in any interleaving that keeps that order. */
const streams = fc
  .integer({ min: 1, max: 8 })
  .chain((actions) => fc.shuffledSubarray([...new Array(2 * actions).keys()], { minLength: 2 * actions }))
  .map((order) => {
    const admitted = new Set<number>();
    return order.map((pick, i): Receipt => {
      const seq = 1 + (pick >> 1);
      const number = i + 1;
      if (admitted.has(seq)) return hit({ number, seq, tick: 600 + number });
      admitted.add(seq);
      return receipt({ number, seq, tick: 600 + number });
    });
  });

describe("ReceiptInbox", () => {
  it("[A4] keeps what arrives out of order until the hole is filled, and moves its cursor only then", () => {
    const { inbox, news, receive } = setUp();
    receive(hit());
    expect(news).toEqual([]);
    expect(cursorOf(inbox)).toBe(0);
    receive(receipt());
    expect(news).toEqual([receipt(), hit()]);
    expect(cursorOf(inbox)).toBe(2);
  });

  it("[A2] [A4] takes each receipt in once, in order, whatever is permuted, repeated or fetched", () => {
    const arrivals = streams.chain((stream) =>
      fc.tuple(
        fc.constant(stream),
        fc.array(fc.constantFrom(...stream), { maxLength: 3 * stream.length }),
        fc.nat(stream.length),
      ),
    );
    fc.assert(
      fc.property(arrivals, ([stream, delivered, lost]) => {
        const { inbox, news, receive, conflicts } = setUp();
        for (const item of delivered) receive(item);
        // The head that snapshots tell makes a lost tail a hole like any other.
        inbox.raiseHead(1, stream.length - lost);
        let nowMs = 0;
        for (let i = 0; i < 100; i++, nowMs += 300) {
          for (const request of inbox.requests(nowMs)) {
            if (request.type === "fetch") receive(...stream.slice(request.from - 1, request.to));
          }
        }
        inbox.raiseHead(1, stream.length);
        for (let i = 0; i < 100; i++, nowMs += 300) {
          for (const request of inbox.requests(nowMs)) {
            if (request.type === "fetch") receive(...stream.slice(request.from - 1, request.to));
          }
        }
        expect(news).toEqual(stream);
        expect(cursorOf(inbox)).toBe(stream.length);
        expect(conflicts).toEqual([]);
      }),
    );
  });

  it("[A6] [A7] ends the same with a baseline anywhere among the arrivals, taken at any commit", () => {
    const arrivals = streams.chain((stream) =>
      fc.tuple(
        fc.constant(stream),
        fc.shuffledSubarray(stream, { minLength: stream.length }),
        fc.array(fc.tuple(fc.nat(stream.length), fc.nat(stream.length), fc.boolean()), { maxLength: 4 }),
      ),
    );
    fc.assert(
      fc.property(arrivals, ([stream, order, baselines]) => {
        const { table, inbox, news, receive, part, conflicts } = setUp();
        const at = (covering: number) => {
          const newest = new Map(stream.slice(0, covering).map((item) => [item.seq, item]));
          return [...newest.values()].sort((a, b) => a.number - b.number);
        };
        for (const [i, item] of order.entries()) {
          for (const [id, [when, covering, torn]] of baselines.entries()) {
            if (when !== i) continue;
            const items = at(covering);
            const requestCursor = Math.min(covering, cursorOf(inbox));
            const more = { covering, requestCursor, baselineId: id + 1, requestId: id + 1, parts: 2 };
            part(items.slice(0, 1), { ...more, part: 1 });
            if (!torn) part(items.slice(1), { ...more, part: 2 });
          }
          receive(item);
        }
        receive(...stream);
        expect(cursorOf(inbox)).toBe(stream.length);
        expect(conflicts).toEqual([]);
        expect(table.open()).toEqual([]);
        // Never twice, and never back: at most both revisions of each, in order, and always the last.
        for (const { seq } of stream) {
          const told = news.filter((item) => item.seq === seq).map(({ revision }) => revision);
          expect([[1, 2], [2]]).toContainEqual(told);
        }
      }),
    );
  });

  it("[A6] changes nothing until all parts of a baseline are here, in any order", () => {
    const { inbox, news, part, receive } = setUp();
    const more = { covering: 9, parts: 2 };
    part([receipt({ number: 8, seq: 18 })], { ...more, part: 2 });
    expect(news).toEqual([]);
    expect(cursorOf(inbox)).toBe(0);
    receive(hit({ number: 9 }), receipt({ number: 10, seq: 19 }));
    part([receipt({ number: 3 })], { ...more, part: 1 });
    expect(news.map(({ number }) => number)).toEqual([3, 8, 10]);
    expect(cursorOf(inbox)).toBe(10);
  });

  it("[A6] refuses a baseline that the room took before the request that it answers", () => {
    const { inbox, news, part } = setUp(7);
    part([receipt({ number: 3 })], { covering: 5, requestCursor: 7 });
    expect(news).toEqual([]);
    expect(cursorOf(inbox)).toBe(7);
  });

  it("[A6] keeps its cursor when a baseline covers less than what has arrived since the request", () => {
    const { inbox, table, receive, part } = setUp();
    receive(receipt(), hit());
    part([receipt()], { covering: 1 });
    expect(cursorOf(inbox)).toBe(2);
    expect(table.get(receipt())?.status).toBe("settled");
  });

  it("[A6] refuses a baseline whose parts don't fit together, and one that contradicts what is known", () => {
    const { inbox, news, conflicts, part, receive } = setUp();
    part([receipt({ number: 1 })], { covering: 4, parts: 2, part: 1 });
    part([receipt({ number: 2, seq: 18 })], { covering: 5, parts: 2, part: 2 });
    part([receipt({ number: 1 })], { covering: 5, parts: 2, part: 1, baselineId: 2 });
    part([receipt({ number: 2 })], { covering: 5, parts: 2, part: 2, baselineId: 2 });
    expect(news).toEqual([]);
    receive(receipt());
    part([receipt({ number: 3, seq: 20 }), receipt({ number: 4, tick: 999 })], {
      covering: 5,
      baselineId: 3,
    });
    expect(news).toEqual([receipt()]);
    expect(cursorOf(inbox)).toBe(1);
    expect(conflicts.length).toBe(3);
  });

  it("[A7] doesn't bring a reclaimed final receipt back as pending", () => {
    const { inbox, table, news, receive, part } = setUp();
    part([], { covering: 5 });
    receive(receipt({ number: 4 }));
    expect(news).toEqual([]);
    expect(table.get(receipt())).toBeUndefined();
    expect(cursorOf(inbox)).toBe(5);
  });

  it("[A7] says of an action that a baseline covers and no longer names that its end isn't known", () => {
    const { table, receive, part } = setUp();
    const record = new ActionRecord("fire", 0);
    table.add({ session: 1, seq: 17, slot: 0 }, record);
    receive(receipt());
    part([], { covering: 9 });
    expect(record.status).toBe("unknown");
  });

  it("[A2] reports the same revision with other content, and keeps the first", () => {
    const { table, news, conflicts, receive } = setUp();
    receive(receipt());
    receive(receipt({ tick: 601 }));
    receive(receipt({ number: 2, tick: 601 }));
    receive(hit({ number: 4 }), hit({ number: 5, result: { hit: false } }));
    receive(hit({ number: 4, result: { hit: false } }));
    expect(news).toEqual([receipt()]);
    expect(table.get(receipt())?.receipt).toEqual(receipt());
    expect(conflicts.length).toBe(3);
  });

  describe("requests", () => {
    const due = (inbox: ReceiptInbox, nowMs: number): ClientFrame[] => inbox.requests(nowMs);

    it("[A4] fetches a hole once it has lasted, and again when nobody answers", () => {
      const { inbox, receive } = setUp();
      receive(receipt({ number: 4 }));
      expect(due(inbox, 0)).toEqual([]);
      expect(due(inbox, 199)).toEqual([]);
      expect(due(inbox, 200)).toEqual([{ type: "fetch", session: 1, from: 1, to: 3 }]);
      expect(due(inbox, 1100)).toEqual([]);
      expect(due(inbox, 1200)).toEqual([{ type: "fetch", session: 1, from: 1, to: 3 }]);
    });

    it("[A4] [A8] fetches the tail that a head tells of, of every session, at once on a new connection", () => {
      const { inbox } = setUp(2);
      inbox.reconnected(
        new Map([
          [1, 5],
          [2, 0],
        ]),
      );
      expect(due(inbox, 0)).toEqual([{ type: "fetch", session: 1, from: 3, to: 5 }]);
      inbox.raiseHead(2, 1);
      due(inbox, 10);
      expect(due(inbox, 300)).toEqual([{ type: "fetch", session: 2, from: 1, to: 1 }]);
    });

    it("[A7] asks for a baseline when it knows nothing, lacks too much, or fetches in vain", () => {
      const { inbox } = setUp();
      inbox.reconnected(new Map([[1, 9]]));
      expect(due(inbox, 0)).toEqual([{ type: "baseline", session: 1, cursor: 0, requestId: 1 }]);
      const far = setUp(3).inbox;
      far.raiseHead(1, 4 + LIMITS.fetchRange);
      due(far, 0);
      expect(due(far, 300)).toMatchObject([{ type: "baseline", cursor: 3 }]);
      const vain = setUp(3).inbox;
      vain.raiseHead(1, 4);
      const asked = [0, 300, 1400, 2500].flatMap((nowMs) => due(vain, nowMs).map(({ type }) => type));
      expect(asked).toEqual(["fetch", "fetch", "baseline"]);
    });
  });

  describe("confirmations", () => {
    it("[A7] confirms what is stored, once, and after a reconnect again", () => {
      const { inbox, receive, confirm } = setUp();
      receive(receipt(), hit());
      // Confirmed and not stored, it would be gone for a reloaded page as well as for the room.
      expect(inbox.confirmations()).toEqual([]);
      expect(confirm()).toEqual([{ type: "cursor", session: 1, cursor: 2, baselineId: 0 }]);
      expect(confirm()).toEqual([]);
      inbox.reconnected(new Map([[1, 2]]));
      expect(confirm()).toEqual([{ type: "cursor", session: 1, cursor: 2, baselineId: 0 }]);
    });

    it("[A6] confirms an adopted baseline by its id, also when it moves no cursor", () => {
      const { receive, part, confirm } = setUp();
      receive(receipt());
      confirm();
      part([receipt()], { covering: 1, baselineId: 6 });
      expect(confirm()).toEqual([{ type: "cursor", session: 1, cursor: 1, baselineId: 6 }]);
    });
  });
});
