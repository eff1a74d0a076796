import { describe, expect, it } from "vitest";
import { MemorySessionStore, type SavedSession, type SessionStore } from "../../../client-sdk/index.ts";
import { hit, receipt } from "./gunners.ts";
import { RangeRoom } from "./range-room.ts";

/** A page that kept its session, gone after three commands: 17 fires, all three are on their way. */
async function reloaded(
  store: SessionStore = new MemorySessionStore(),
  more: (saved: SavedSession) => SavedSession = (s) => s,
) {
  const before = new RangeRoom({ store, secret: new Uint8Array(32).fill(9) });
  before.join();
  const handle = before.client.actions.fire({ aim: 1 });
  before.play({ leap: true });
  before.play({ back: true });
  before.play();
  before.client.save();
  const kept = await store.load();
  const saved = kept && more(kept);
  const after = new RangeRoom({ store, saved, ...(saved && { secret: saved.queue.secret }) });
  return { before, handle, after, saved };
}
const numbers = (room: RangeRoom) =>
  room
    .sentOf("input")
    .flatMap(({ inputSession, commands }) => commands.map(({ seq }) => [inputSession, seq]));

describe("a reload", () => {
  it("[S3] asks the room first, and goes on where it agrees: same numbers, same content, nothing shown twice", async () => {
    const { before, after } = await reloaded();
    after.client.opened(0);
    expect(after.sentOf("hello")).toMatchObject([
      { secret: new Uint8Array(32).fill(9), inputSession: 1, oldestSeq: 17, nextSeq: 20, incarnation: 1 },
    ]);
    expect(after.sentOf("input")).toEqual([]);
    after.welcome(0, { consumed: 17, durable: 17, tick: 601, windowTicks: 1, receiptHead: 1 });
    expect(numbers(after)).toEqual([
      [1, 18],
      [1, 19],
    ]);
    const contents = (room: RangeRoom) =>
      new Map(room.sentOf("input").flatMap(({ commands }) => commands.map((c) => [c.seq, c.bytes])));
    expect(contents(after).get(18)).toEqual(contents(before).get(18));
    after.put(10, 8);
    after.snap({ tick: 601, consumed: 17, receiptHead: 1 });
    expect(after.xAfter(18)).toBe(9);
    after.play();
    expect(numbers(after).at(-1)?.[1]).toBeGreaterThanOrEqual(20);
    expect(after.log.effects).toEqual([]);
  });

  it("[S3] [A8] hears the end of its actions, which nobody asks for again", async () => {
    const { after } = await reloaded();
    expect(after.client.receipts.open()).toMatchObject([{ action: "fire", status: "sent" }]);
    after.client.opened(0);
    after.welcome(0, { consumed: 19, durable: 19, tick: 605, windowTicks: 1, receiptHead: 2 });
    after.put(9, 8);
    after.snap({ tick: 605, consumed: 19, receiptHead: 2 });
    after.play();
    expect(after.sentOf("baseline")).toMatchObject([{ session: 1, cursor: 0 }]);
    after.baseline([hit()], { covering: 2 });
    expect(after.log.receipts).toMatchObject([{ seq: 17, status: "settled" }]);
    expect(after.client.receipts.open()).toEqual([]);
    expect(after.log.effects).toEqual([]);
  });

  it("[S3] [A6] goes on from the saved cursor and doesn't tell again what the page before was told", () => {
    const store = new MemorySessionStore();
    const before = new RangeRoom({ store });
    before.join();
    before.client.actions.fire({ aim: 1 });
    before.play();
    before.receipts(receipt(), hit());
    before.play();
    expect(before.sentOf("cursor")).toMatchObject([{ cursor: 2 }]);
    const after = new RangeRoom({ store, saved: store.load() });
    after.client.opened(0);
    after.welcome(0, { consumed: 18, durable: 18, tick: 605, windowTicks: 1, receiptHead: 3 });
    after.pass(50);
    expect(after.sentOf("fetch")).toEqual([{ type: "fetch", session: 1, from: 3, to: 3 }]);
    after.receipts(receipt(), hit());
    expect(after.log.receipts).toEqual([]);
  });

  it("[S3] is led through the barrier when the room has consumed more than was kept", async () => {
    const { after } = await reloaded();
    after.client.opened(0);
    after.welcome(0, { consumed: 25, durable: 25, tick: 610, windowTicks: 1 });
    after.put(3);
    after.snap({ tick: 610, consumed: 25 });
    after.pass(200);
    expect(numbers(after)).toEqual([]);
    const closed = { type: "session", phase: "closed", session: 1, reason: "queue-lost" } as const;
    after.say(after.nowMs, { ...closed, finalConsumed: 25, opened: 2 });
    after.snap({ tick: 613, consumed: 0, inputSession: 2 });
    after.pass(100);
    expect(numbers(after)[0]).toEqual([2, 1]);
    expect(after.log.voids).toEqual([]);
  });

  it.each<[string, (saved: SavedSession) => SavedSession]>([
    ["a command is missing", (saved) => drop(saved, 1)],
    [
      "a command isn't what its digest says",
      (saved) => change(saved, (bytes) => bytes.map((byte) => byte ^ 1)),
    ],
    ["a command can't be read", (saved) => change(saved, () => new Uint8Array(40))],
  ])("[S3] treats a queue as lost in which %s, and guesses nothing", async (_, damage) => {
    const { after } = await reloaded(new MemorySessionStore(), damage);
    after.client.opened(0);
    expect(after.sentOf("hello")).toMatchObject([{ inputSession: 1, oldestSeq: 20, nextSeq: 20 }]);
    after.welcome(0, { consumed: 17, durable: 17, tick: 601, windowTicks: 1 });
    after.snap({ tick: 601, consumed: 17 });
    after.pass(200);
    expect(numbers(after)).toEqual([]);
    const closed = { type: "session", phase: "closed", session: 1, reason: "replay-bound" } as const;
    after.say(after.nowMs, { ...closed, finalConsumed: 17, opened: 2 });
    expect(after.log.voids).toMatchObject([{ from: 18, to: 19 }]);
  });

  it("[D7] brings nothing into a room whose storage was wiped meanwhile", async () => {
    const { after } = await reloaded(new MemorySessionStore(), ({ queue, actions }) => ({
      queue: { ...queue, incarnation: 4 },
      actions,
    }));
    after.client.opened(0);
    after.welcome(0, { incarnation: 1, tick: 3, consumed: 0, durable: 0, windowTicks: 1 });
    expect(after.client.receipts.open()).toEqual([]);
    expect(numbers(after)).toEqual([]);
  });

  it("[S3] saves with each batch, one save at a time, and confirms only what is saved", async () => {
    const saves: { session: SavedSession; done: () => void; fail: (error: Error) => void }[] = [];
    const store: SessionStore = {
      load: () => undefined,
      clear: () => undefined,
      save: (session) =>
        new Promise((resolve, reject) => saves.push({ session, done: resolve, fail: reject })),
    };
    const room = new RangeRoom({ store });
    room.join();
    room.play();
    expect(saves.length).toBe(1);
    room.receipts(receipt());
    for (let i = 0; i < 3; i++) room.play();
    expect(saves.length).toBe(1);
    saves[0]?.done();
    await new Promise((resolve) => setTimeout(resolve));
    // The next one has everything that came meanwhile.
    expect(saves.length).toBe(2);
    expect(saves[1]?.session.actions.cursors).toEqual([{ session: 1, cursor: 1, baselineId: 0 }]);
    expect(saves[1]?.session.queue.nextSeq).toBe(21);
    room.play();
    expect(room.sentOf("cursor")).toEqual([]);
    const error = new Error("disk full");
    saves[1]?.fail(error);
    await new Promise((resolve) => setTimeout(resolve));
    expect(room.log.faults).toEqual([error]);
    room.play();
    expect(room.sentOf("cursor")).toEqual([]);
    saves.at(-1)?.done();
    await new Promise((resolve) => setTimeout(resolve));
    room.play();
    expect(room.sentOf("cursor")).toMatchObject([{ cursor: 1 }]);
  });

  it("[S3] keeps nothing of a seat that was given up", () => {
    const store = new MemorySessionStore();
    const room = new RangeRoom({ store });
    room.join();
    expect(store.load()).toBeDefined();
    room.client.leave();
    room.client.save();
    expect(store.load()).toBeUndefined();
  });
});

function drop({ queue, actions }: SavedSession, index: number): SavedSession {
  return { actions, queue: { ...queue, commands: queue.commands.filter((_, i) => i !== index) } };
}
function change({ queue, actions }: SavedSession, how: (bytes: Uint8Array) => Uint8Array): SavedSession {
  const commands = queue.commands.map((command, i) =>
    i === 1 ? { ...command, bytes: how(command.bytes) } : command,
  );
  return { actions, queue: { ...queue, commands } };
}
