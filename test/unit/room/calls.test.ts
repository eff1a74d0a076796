import { describe, expect, it } from "vitest";
import { decodeLedger, decodeRoom } from "../../../protocol/index.ts";
import { type CallJob, LEDGER_SLOTS, MemoryStore, type RoomWrite } from "../../../room/core/index.ts";
import { afterTicks, type Gunner, gunner, SLOT } from "./gunner.ts";
import { Rig } from "./rig.ts";

/** A disk that refuses to write while it is told to. */
class StubbornStore extends MemoryStore {
  broken = false;

  override commit(write: RoomWrite): void {
    if (this.broken) throw new Error("disk full");
    super.commit(write);
  }
}

const KEY = "mover:test/1/1/3";

function joined() {
  const started: CallJob[] = [];
  const stopped: string[] = [];
  const store = new StubbornStore();
  const room = new Rig<Gunner>(gunner, {
    store,
    windowTicks: 1,
    hooks: { onJoin: (seat) => void seat.spawn("player") },
    calls: { startCall: (job) => started.push(job), stopCall: (key) => stopped.push(key) },
  });
  const ada = room.join(1);
  room.toTick(1);
  const answer = (value: unknown, key = KEY) => room.core.answer(key, value, room.nowMs);
  const receipts = () =>
    ada.receipts.map(({ revision, status, result, tick }) => [revision, status, result, tick]);
  const hits = () => [...room.core.world.all("player")][0]?.body.hits;
  return { room, ada, store, started, stopped, answer, receipts, hits };
}

function stored(store: MemoryStore) {
  const state = decodeRoom(store.load()?.state as Uint8Array, gunner);
  return { state, ledger: decodeLedger(store.ledger(state.commit % LEDGER_SLOTS) as Uint8Array) };
}

describe("a call", () => {
  it("[A3] starts once the admission is stored, with the identity for a key and what was captured", () => {
    const { room, ada, started } = joined();
    room.act(ada, { slot: SLOT.buy, params: { amount: afterTicks(7) } });
    expect(started).toEqual([]);
    room.toTick(2);
    expect(started).toEqual([
      {
        key: "mover:test/1/1/2",
        action: "buy",
        session: 1,
        seq: 1,
        slot: SLOT.buy,
        seat: 1,
        params: { amount: 7 / 255 },
        capture: { amount: 7 },
      },
    ]);
    room.toTick(9);
    expect(started.length).toBe(1);
  });

  it("[A3][D4] is answered in a tick, and the ledger says what with: that is all a replay needs", () => {
    const { room, ada, store, answer, receipts } = joined();
    room.act(ada, { slot: SLOT.buy });
    room.toTick(4);
    answer({ coins: 3 }, "mover:test/1/1/2");
    expect(receipts()).toEqual([[1, "admitted", null, 2]]);
    room.toTick(5);
    expect(receipts().at(-1)).toEqual([2, "settled", { coins: 3 }, 5]);
    expect(stored(store).ledger.answers).toEqual([
      { session: 1, seq: 1, slot: SLOT.buy, tick: 5, answer: '{"coins":3}' },
    ]);
  });

  it("[A3] is given to the game's own settlement, which decides", () => {
    const { room, ada, answer, receipts, hits, stopped } = joined();
    room.act(ada, { slot: SLOT.shoot });
    room.toTick(3);
    answer(true);
    answer(false);
    room.toTick(10);
    expect(receipts()).toEqual([
      [1, "admitted", null, 2],
      [2, "settled", { hit: true }, 4],
    ]);
    expect(hits()).toBe(1);
    expect(stopped).toEqual([KEY]);
  });

  it("[A2][A3] answered again after the final receipt changes nothing", () => {
    const { room, ada, answer, receipts, hits } = joined();
    room.act(ada, { slot: SLOT.shoot });
    room.toTick(3);
    answer(false);
    room.toTick(4);
    answer(true);
    room.toTick(12);
    expect(receipts().at(-1)).toEqual([2, "settled", { hit: false }, 4]);
    expect(receipts().length).toBe(2);
    expect(hits()).toBe(0);
    expect(room.log).toContainEqual(expect.objectContaining({ event: "answer-refused", key: KEY }));
  });

  it("[D6] doesn't start for an admission that couldn't be stored; the client sees none of it", () => {
    const { room, ada, store, started, receipts } = joined();
    store.broken = true;
    room.act(ada, { slot: SLOT.buy });
    room.pass(200);
    expect(started).toEqual([]);
    expect(receipts()).toEqual([]);
    expect(ada.snapshot.consumed).toBe(0);
    store.broken = false;
    room.pass(100);
    expect(started.map(({ key }) => key)).toEqual(["mover:test/1/1/2"]);
    expect(receipts().map(([, status]) => status)).toEqual(["admitted"]);
    expect(ada.receipts[0]?.number).toBe(1);
  });

  it("[D6][A3] whose answer couldn't be stored has it taken again", () => {
    const { room, ada, store, answer, receipts, hits } = joined();
    room.act(ada, { slot: SLOT.shoot });
    room.toTick(3);
    answer(true);
    store.broken = true;
    room.pass(60);
    expect(receipts().length).toBe(1);
    expect(hits()).toBe(0);
    store.broken = false;
    room.pass(100);
    expect(receipts().at(-1)).toEqual([2, "settled", { hit: true }, 4]);
    expect(hits()).toBe(1);
  });

  it("[T6][A3] whose answer came into a window that a command made throw has it taken again", () => {
    const { room, ada, answer, receipts, hits } = joined();
    room.act(ada, { slot: SLOT.shoot });
    room.toTick(2);
    answer(true);
    room.command(ada, { boom: true });
    room.toTick(6);
    expect(room.core.stats().faults).toBe(1);
    expect(receipts()).toEqual([
      [1, "admitted", null, 2],
      [2, "settled", { hit: true }, 3],
    ]);
    expect(hits()).toBe(1);
  });

  it("[A3][T6] that runs when the room crashes is made again under its key, and counts once", () => {
    const { room, ada, started, answer, receipts, hits } = joined();
    room.act(ada, { slot: SLOT.shoot });
    room.toTick(3);
    // The answer reached a process that is gone before any tick took it.
    answer(true);
    room.crash();
    expect(started.map(({ key }) => key)).toEqual([KEY, KEY]);
    expect(started[1]).toEqual(started[0]);
    room.resume(ada);
    room.toTick(5);
    answer(true);
    room.toTick(7);
    expect(receipts().filter(([, status]) => status === "settled").length).toBe(1);
    expect(hits()).toBe(1);
    room.crash();
    expect(started.length).toBe(2);
  });

  it("[A3] that was answered before the crash isn't made again, though its settlement still waits", () => {
    const { room, ada, store, started, answer } = joined();
    room.act(ada, { slot: SLOT.buy }, { slot: SLOT.dud });
    room.toTick(3);
    answer(1, "mover:test/1/1/2");
    room.toTick(6);
    expect(stored(store).state.pending.map(({ slot }) => slot)).not.toContain(SLOT.buy);
    room.crash();
    expect(started.length).toBe(1);
  });

  it("[A3] is told to stop at its deadline", () => {
    const { room, ada, stopped, receipts } = joined();
    room.act(ada, { slot: SLOT.shoot });
    room.toTick(8);
    expect(stopped).toEqual([KEY]);
    expect(receipts().at(-1)).toEqual([2, "timedOut", null, 8]);
  });

  it.each([
    ["too large", "x".repeat(2_000)],
    ["no JSON", 1n],
  ])("[A3] whose answer is %s is as good as unanswered, and says so in the log", (_, value) => {
    const { room, ada, answer, receipts } = joined();
    room.act(ada, { slot: SLOT.shoot });
    room.toTick(3);
    answer(value);
    room.toTick(8);
    expect(receipts().at(-1)).toEqual([2, "timedOut", null, 8]);
    expect(room.log).toContainEqual(expect.objectContaining({ event: "answer-refused" }));
  });

  it("[A3] under a key of another room, or of nothing, is refused", () => {
    const { room, answer } = joined();
    for (const key of ["", "other:room/1/1/3", "mover:test/1/1/3", "mover:test/"]) answer(true, key);
    expect(room.log.filter(({ event }) => event === "answer-refused").length).toBe(4);
  });
});

describe("worked case 4: the deadline", () => {
  it.each([
    [3, "settled", 4],
    [4, "settled", 5],
    [6, "settled", 7],
    // Taken by the deadline tick itself, or later: nothing of it counts.
    [7, "timedOut", 8],
    [8, "timedOut", 8],
    [9, "timedOut", 8],
  ])(
    "[A3] an answer after tick %i is %s in tick %i, whether or not the room crashes",
    (after, status, tick) => {
      for (const crashAt of [undefined, 2, 3, 5, 7, 8, 9]) {
        const { room, ada, answer, receipts, hits } = joined();
        room.act(ada, { slot: SLOT.shoot });
        for (let now = 2; now <= 12; now++) {
          room.toTick(now);
          if (crashAt === now) {
            room.crash();
            room.resume(ada);
          }
          if (now >= after) answer(true);
        }
        if (crashAt !== undefined) room.send(ada, ada.frame({ type: "fetch", session: 1, from: 1, to: 9 }));
        room.toTick(13);
        const finals = receipts().filter(([revision]) => revision === 2);
        expect(finals.length).toBeGreaterThan(0);
        for (const final of finals) expect([final[1], final[3]]).toEqual([status, tick]);
        expect(hits()).toBe(status === "settled" ? 1 : 0);
      }
    },
  );
});
