import { describe, expect, it } from "vitest";
import { CLOSE, LIMITS } from "../../../protocol/index.ts";
import { MemoryStore, type RoomWrite } from "../../../room/core/index.ts";
import { type Gunner, gunner, SLOT } from "./gunner.ts";
import { Rig } from "./rig.ts";

/** A disk that fails in the ways that it is told to. */
class FailingStore extends MemoryStore {
  fails: "nothing" | "commits" | "everything" = "nothing";
  tries = 0;

  override commit(write: RoomWrite): void {
    this.tries++;
    if (this.fails !== "nothing") throw new Error("disk full");
    super.commit(write);
  }

  override load() {
    if (this.fails === "everything") throw new Error("disk gone");
    return super.load();
  }

  override setAlarm(atMs: number): void {
    if (this.fails === "everything") throw new Error("disk gone");
    super.setAlarm(atMs);
  }
}

const MOST = LIMITS.storageFailures;
const WINDOW_MS = 50;

function joined() {
  const store = new FailingStore();
  const room = new Rig<Gunner>(gunner, {
    store,
    hooks: { onJoin: (seat) => void seat.spawn("player") },
  });
  const ada = room.join(1);
  room.windows(3);
  return { room, ada, store };
}

describe("a storage that goes on failing", () => {
  it("[D6][S4] closes everybody with a code to come back later, at the bound and not one window before", () => {
    const { room, ada, store } = joined();
    const { tick } = room.core;
    store.tries = 0;
    store.fails = "commits";
    while (store.tries < MOST - 1) room.pass(WINDOW_MS);
    expect(ada.closed).toBeUndefined();
    room.pass(2 * WINDOW_MS);
    expect(store.tries).toBe(MOST);
    expect(ada.closed?.code).toBe(CLOSE["storage-failed"].code);
    expect(CLOSE["storage-failed"].action).toBe("retry");
    expect(room.core.stats()).toMatchObject({ state: "unstorable", tick });
  });

  it("[D6] counts failures in a row only: one success begins anew", () => {
    const { room, ada, store } = joined();
    for (let round = 0; round < 3; round++) {
      store.tries = 0;
      store.fails = "commits";
      while (store.tries < MOST - 1) room.pass(WINDOW_MS);
      store.fails = "nothing";
      room.windows(2);
      room.send(ada, ada.input([]));
    }
    expect(ada.closed).toBeUndefined();
    expect(room.core.stats().state).toBe("running");
  });

  it("[D6] turns away whoever comes until its pause is over, and tries nothing meanwhile", () => {
    const { room, store } = joined();
    store.fails = "commits";
    room.pass(MOST * WINDOW_MS + 200);
    const tries = store.tries;
    room.pass(2_000);
    const bea = room.join(2);
    expect(bea.closed?.code).toBe(CLOSE["storage-failed"].code);
    expect(store.tries).toBe(tries);
    expect(() => room.core.create({}, room.nowMs)).toThrow("nothing can be stored");
  });

  it("[D6][D3] goes on from what was stored once storage works again, one incarnation later, with its seats", () => {
    const { room, ada, store } = joined();
    const { tick, incarnation } = room.core;
    room.act(ada, { slot: SLOT.wave });
    store.fails = "commits";
    room.pass(MOST * WINDOW_MS + 200);
    expect(ada.closed).toBeDefined();
    store.fails = "nothing";
    room.pass(10_000);
    room.resume(ada);
    room.windows(3);
    expect(ada.closed).toBeUndefined();
    expect(room.core.incarnation).toBe(incarnation + 1);
    expect(room.core.tick).toBeGreaterThan(tick);
    // What was asked for while nothing could be stored has never happened; the page still has it.
    expect(ada.receipts).toEqual([]);
    expect(ada.welcome.seat).toBe(1);
  });

  it("[T5][D6] wakes by itself, or with the next event when no alarm could be set, and may fail again", () => {
    const { room, ada, store } = joined();
    store.fails = "everything";
    // No alarm can be set, and the frames that arrive keep the room trying.
    for (let window = 0; window < MOST + 5; window++) {
      room.pass(WINDOW_MS);
      room.core.poke(room.nowMs);
    }
    for (let round = 0; round < 2; round++) {
      room.pass(11_000);
      expect(room.join(5 + round).closed?.code).toBe(CLOSE["storage-failed"].code);
    }
    store.fails = "nothing";
    room.pass(11_000);
    room.resume(ada);
    room.windows(3);
    expect(room.core.stats().state).toBe("running");
    expect(ada.closed).toBeUndefined();
  });
});
