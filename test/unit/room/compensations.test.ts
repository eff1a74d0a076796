import { describe, expect, it } from "vitest";
import { decodeLedger, decodeRoom, encodeRoom, LIMITS, type StoredDebt } from "../../../protocol/index.ts";
import { MemoryStore, type RoomWrite, replay } from "../../../room/core/index.ts";
import { afterTicks, type Gunner, gunner, SLOT } from "./gunner.ts";
import { Rig } from "./rig.ts";
import { Errands, Shop } from "./shop.ts";

/** A disk that refuses to write while it is told to. */
class StubbornStore extends MemoryStore {
  broken = false;
  /** Debts that a restarted room finds. */
  debts: readonly StoredDebt[] | undefined;

  override load() {
    const stored = super.load();
    if (!stored || !this.debts) return stored;
    const state = encodeRoom({ ...decodeRoom(stored.state, gunner), debts: this.debts });
    return { ...stored, state };
  }

  override commit(write: RoomWrite): void {
    if (this.broken) throw new Error("disk full");
    super.commit(write);
  }
}

const SHOOT = "mover:test/1/1/3";
const BUY = "mover:test/1/1/2";
const hooks = { onJoin: (seat: { spawn(archetype: "player"): unknown }) => void seat.spawn("player") };

function joined(options: { graceTicks?: number; commitEvery?: number } = {}) {
  const errands = new Errands(["buy", "shoot"]);
  const shop = new Shop();
  const store = new StubbornStore();
  const room = new Rig<Gunner>(gunner, { store, windowTicks: 1, hooks, calls: errands, ...options });
  const ada = room.join(1);
  room.toTick(1);
  const state = () => decodeRoom(store.load()?.state as Uint8Array, gunner);
  /** Does the newest thing that undoes a call, and tells the room. */
  const undo = () => {
    const key = errands.undoings.at(-1)?.key as string;
    shop.undo(key);
    room.core.compensated(key, room.nowMs);
  };
  const ends = () => room.core.export().ledger.flatMap((row) => [...decodeLedger(row).finished]);
  const leave = () => room.send(ada, ada.frame({ type: "leave" }));
  return { room, ada, store, errands, shop, state, undo, ends, leave };
}

describe("a call whose action failed", () => {
  it("[A9] is undone after its deadline, under its own key, and the debt is stored with the time-out", () => {
    const { room, ada, errands, shop, state, undo } = joined();
    room.act(ada, { slot: SLOT.shoot });
    room.toTick(2);
    shop.charge(SHOOT, 5);
    room.toTick(7);
    expect(errands.undoings).toEqual([]);
    room.toTick(8);
    expect(errands.undoings).toEqual([{ ...errands.calls[0], compensates: "deadline" }]);
    expect(errands.undoings[0]?.key).toBe(SHOOT);
    expect(state().debts).toMatchObject([{ session: 1, seq: 1, slot: SLOT.shoot, outcome: "deadline" }]);
    expect(state().pending).toEqual([]);
    undo();
    room.toTick(9);
    expect(state().debts).toEqual([]);
    expect(shop.paid).toBe(0);
    expect(ada.receipts.at(-1)).toMatchObject({ status: "timedOut", reason: "deadline" });
    room.crash();
    expect(errands.undoings.length).toBe(1);
  });

  it("[A9] may be charged after it was undone: that changes nothing either", () => {
    const { room, ada, shop, undo } = joined();
    room.act(ada, { slot: SLOT.shoot });
    room.toTick(8);
    undo();
    shop.charge(SHOOT, 5);
    expect(shop.paid).toBe(0);
    expect(shop.asked).toEqual([`undo ${SHOOT}`, `charge ${SHOOT}`]);
  });

  it("[A9] isn't undone when it settled, nor when its action has no compensation", () => {
    const { room, ada, errands, ends, state } = joined();
    room.act(ada, { slot: SLOT.buy }, { slot: SLOT.fire, params: { delay: afterTicks(200) } });
    room.toTick(3);
    room.core.answer(BUY, 1, room.nowMs);
    room.toTick(12);
    expect(ends()).toEqual([
      { session: 1, seq: 1, slot: SLOT.buy, tick: 4, outcome: "settled" },
      { session: 1, seq: 2, slot: SLOT.fire, tick: 9, outcome: "deadline" },
    ]);
    expect(errands.undoings).toEqual([]);
    expect(state().debts).toEqual([]);
  });

  it("[A9][T6] is undone when its settlement keeps throwing, though its call had answered", () => {
    const { room, ada, errands, shop, undo } = joined();
    room.act(ada, { slot: SLOT.shoot });
    room.toTick(3);
    shop.charge(SHOOT, 5);
    // Its result is larger than a receipt may be.
    const rules = room.core.world.game.spec.actionRules as unknown as { shoot: { settle(): unknown } };
    const settle = rules.shoot.settle;
    rules.shoot.settle = () => "x".repeat(2_000);
    room.core.answer(SHOOT, true, room.nowMs);
    room.pass(60);
    rules.shoot.settle = settle;
    expect(errands.undoings).toMatchObject([{ key: SHOOT, compensates: "fault" }]);
    expect(ada.receipts.at(-1)).toMatchObject({ status: "timedOut", reason: "fault" });
    undo();
    expect(shop.paid).toBe(0);
  });

  it("[A9][A8] of a player who leaves has an end in the ledger, and is undone with nobody in the room", () => {
    const { room, ada, errands, shop, state, undo, ends, leave } = joined();
    room.act(ada, { slot: SLOT.buy, params: { amount: afterTicks(7) } });
    room.toTick(3);
    shop.charge(BUY, 7);
    leave();
    room.windows(2);
    expect(ends()).toEqual([{ session: 1, seq: 1, slot: SLOT.buy, tick: 3, outcome: "left" }]);
    expect(room.core.lookup(1, 1)).toMatchObject({
      ends: [{ slot: SLOT.buy, outcome: "left" }],
      receipts: [],
    });
    expect(errands.undoings).toMatchObject([{ key: BUY, compensates: "left", capture: { amount: 7 } }]);
    expect(room.core.running).toBe(false);
    const { tick } = room.core;
    undo();
    expect(state().debts).toEqual([]);
    expect(room.core.tick).toBe(tick);
    expect(shop.paid).toBe(0);
    expect(replay<Gunner>({ game: gunner, hooks, recorded: room.core.export() }).agree).toBe(true);
  });

  it("[A9][S2] of a player whose grace is over is undone alike", () => {
    const { room, ada, errands } = joined({ graceTicks: 20 });
    room.act(ada, { slot: SLOT.buy });
    room.toTick(3);
    room.drop(ada);
    room.windows(10);
    expect(errands.undoings).toMatchObject([{ key: BUY, compensates: "left" }]);
  });

  it("[A9] isn't undone when the player left before its admission was stored: it was never made", () => {
    const { room, ada, store, errands, state, leave } = joined();
    store.broken = true;
    room.act(ada, { slot: SLOT.buy });
    room.pass(60);
    leave();
    store.broken = false;
    room.windows(3);
    expect(errands.calls).toEqual([]);
    expect(errands.undoings).toEqual([]);
    expect(state().debts).toEqual([]);
  });

  it("[A9][T7] keeps an empty room's alarm set, slowly, until it is undone; then the room sleeps", () => {
    const { room, ada, store, undo, leave } = joined();
    room.act(ada, { slot: SLOT.buy });
    room.toTick(3);
    leave();
    room.windows(2);
    const commits = room.core.stats().commits;
    room.pass(60_000);
    expect(store.alarmMs()).toBeGreaterThan(room.nowMs);
    expect(room.core.stats()).toMatchObject({ state: "sleeping", debts: 1, commits });
    undo();
    room.pass(30_000);
    expect(store.alarmMs()).toBeUndefined();
    expect(room.core.stats()).toMatchObject({ state: "sleeping", debts: 0 });
  });
});

describe("a crash around a compensation", () => {
  it("[A9][D3] before the time-out is stored lets the action time out again, and undoes the call then", () => {
    const { room, ada, store, errands } = joined();
    room.act(ada, { slot: SLOT.shoot });
    room.toTick(7);
    store.broken = true;
    room.pass(40);
    expect(errands.undoings).toEqual([]);
    room.crash();
    store.broken = false;
    room.resume(ada);
    room.toTick(9);
    expect(errands.undoings).toMatchObject([{ key: SHOOT, compensates: "deadline" }]);
  });

  it.each([1, 4])(
    "[A9][D3] before it is done has it asked for again, also in a room that nobody comes back to (commitEvery %i)",
    (commitEvery) => {
      const { room, ada, errands, leave, undo, state } = joined({ commitEvery });
      room.act(ada, { slot: SLOT.buy });
      room.windows(1);
      leave();
      room.windows(3);
      room.crash();
      room.crash();
      expect(errands.undoings.map(({ key }) => key)).toEqual([BUY, BUY, BUY]);
      expect(errands.undoings[2]).toEqual(errands.undoings[0]);
      undo();
      expect(state().debts).toEqual([]);
      room.crash();
      expect(errands.undoings.length).toBe(3);
    },
  );

  it("[A9][D6] between its confirmation and the commit has it asked for once more: at least once", () => {
    const { room, ada, store, errands, shop, state, undo, leave } = joined();
    room.act(ada, { slot: SLOT.buy });
    room.toTick(3);
    shop.charge(BUY, 3);
    leave();
    room.windows(2);
    store.broken = true;
    undo();
    expect(state().debts.length).toBe(1);
    room.crash();
    store.broken = false;
    expect(errands.undoings.length).toBe(2);
    undo();
    expect(state().debts).toEqual([]);
    expect(shop.paid).toBe(0);
  });

  it("[A9][D6] a confirmation that couldn't be stored is stored later without being asked for again", () => {
    const { room, ada, store, errands, state, undo, leave } = joined();
    room.act(ada, { slot: SLOT.buy });
    room.toTick(3);
    leave();
    room.windows(2);
    store.broken = true;
    undo();
    store.broken = false;
    room.pass(30_000);
    expect(state().debts).toEqual([]);
    expect(errands.undoings.length).toBe(1);
    expect(store.alarmMs()).toBeUndefined();
  });

  it("[A9] a confirmation of what isn't owed, or of another room, changes nothing and is logged", () => {
    const { room } = joined();
    for (const key of [BUY, "other:room/1/1/2", ""]) room.core.compensated(key, room.nowMs);
    expect(room.log.filter(({ event }) => event === "compensation-refused").length).toBe(3);
  });
});

describe("debts in the room's store", () => {
  it("[A9][D5] cost no row of their own", () => {
    const { room, ada, store } = joined();
    room.act(ada, { slot: SLOT.shoot });
    room.toTick(7);
    const before = store.rowsWritten;
    room.toTick(8);
    // State, ledger, alarm, and the final receipt.
    expect(store.rowsWritten - before).toBe(4);
  });

  it("[A9][A7] take room that new actions then don't have", () => {
    const { room, ada, store, state } = joined();
    room.act(ada, { slot: SLOT.shoot });
    room.toTick(9);
    const [debt] = state().debts as [StoredDebt];
    const most = LIMITS.pendingActionsPerRoom;
    store.debts = Array.from({ length: most - 1 }, (_, i) => ({ ...debt, session: 1000 + i }));
    room.crash();
    room.resume(ada);
    room.act(ada, { slot: SLOT.wave });
    room.act(ada, { slot: SLOT.buy });
    room.act(ada, { slot: SLOT.wave });
    room.pass(200);
    expect(ada.receipts.slice(-3)).toMatchObject([
      { status: "settled" },
      { status: "admitted" },
      { status: "rejected", reason: "pending-full" },
    ]);
  });
});
