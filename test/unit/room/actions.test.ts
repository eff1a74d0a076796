import { describe, expect, it } from "vitest";
import { decodeLedger, decodeRoom, LIMITS, type Receipt } from "../../../protocol/index.ts";
import { LEDGER_SLOTS, type MemoryStore, type RoomHooks } from "../../../room/core/index.ts";
import { afterTicks, type Gunner, gunner, SLOT } from "./gunner.ts";
import { Rig } from "./rig.ts";

const hooks: RoomHooks<Gunner> = { onJoin: (seat) => void seat.spawn("player") };

function joined(): { room: Rig<Gunner>; ada: ReturnType<Rig<Gunner>["join"]> } {
  const room = new Rig<Gunner>(gunner, { hooks, windowTicks: 1 });
  const ada = room.join(1);
  room.toTick(1);
  return { room, ada };
}

/** The last commit on disk. */
function stored(store: MemoryStore) {
  const state = decodeRoom(store.load()?.state as Uint8Array, gunner);
  return { state, ledger: decodeLedger(store.ledger(state.commit % LEDGER_SLOTS) as Uint8Array) };
}

const brief = ({ number, seq, slot, revision, status, reason, result, tick }: Receipt) =>
  [number, `${seq}/${slot}`, revision, status, reason || result, tick] as const;

const body = (room: Rig<Gunner>) => [...room.core.world.all("player")][0]?.body;
const fire = (delay: number) => ({ slot: SLOT.fire, params: { delay: afterTicks(delay) } });

describe("admission in a room", () => {
  it("[A1][I10] is decided in the tick that consumes the command, recorded with it, and answered by a receipt", () => {
    const { room, ada } = joined();
    room.act(ada, fire(3));
    room.toTick(2);
    expect(body(room)?.ammo).toBe(999);
    expect(ada.receipts.map(brief)).toEqual([[1, "1/0", 1, "admitted", null, 2]]);
    const { state, ledger } = stored(room.store);
    expect(ledger.sessions[0]?.entries[0]?.actions).toEqual([
      { slot: 0, disposition: "admitted", reason: "", byRoom: false, rewoundTick: 0 },
    ]);
    expect(state.pending).toMatchObject([
      { session: 1, seq: 1, slot: 0, seat: 1, admittedTick: 2, deadlineTick: 8 },
    ]);
  });

  it("[A1][I10] that fails rejects the action, not the command's movement", () => {
    const { room, ada } = joined();
    for (const player of room.core.world.all("player")) player.body.ammo = 0;
    room.send(ada, ada.input([{ step: true, calls: [fire(1), { slot: SLOT.wave }] }]));
    room.toTick(2);
    expect(body(room)?.x).toBe(1);
    expect(ada.snapshot.consumed).toBe(1);
    expect(ada.receipts.map(brief)).toEqual([
      [1, "1/0", 1, "rejected", "no-ammo", 2],
      [2, "1/1", 2, "settled", null, 2],
    ]);
    const { actions } = stored(room.store).ledger.sessions[0]?.entries[0] ?? {};
    expect(actions).toEqual([
      { slot: 0, disposition: "rejected", reason: "no-ammo", byRoom: false, rewoundTick: 0 },
      { slot: 1, disposition: "admitted", reason: "", byRoom: false, rewoundTick: 0 },
    ]);
  });

  it("[I10][A2] repeated later, when it would succeed, is the same rejection", () => {
    const { room, ada } = joined();
    for (const player of room.core.world.all("player")) player.body.ammo = 0;
    room.act(ada, fire(1));
    room.toTick(2);
    for (const player of room.core.world.all("player")) player.body.ammo = 5;
    room.send(ada, ada.input([{ calls: [fire(1)] }], { from: 1 }));
    room.toTick(8);
    expect(ada.receipts.map(brief)).toEqual([[1, "1/0", 1, "rejected", "no-ammo", 2]]);
    expect(body(room)?.ammo).toBe(5);
  });

  it("[I8] without a living entity is a rejection", () => {
    const { room, ada } = joined();
    for (const player of room.core.world.all("player")) room.core.world.despawn(player);
    room.act(ada, fire(1));
    room.toTick(2);
    expect(ada.receipts.map(brief)).toEqual([[1, "1/0", 1, "rejected", "no-entity", 2]]);
  });

  it("[A7] beyond what may be pending is refused by the room itself", () => {
    const { room, ada } = joined();
    const most = LIMITS.pendingActions;
    for (let i = 0; i <= most; i++) room.act(ada, { slot: SLOT.buy, params: { amount: 1 } });
    room.toTick(2 + most);
    expect(ada.receipts.filter(({ status }) => status === "admitted").length).toBe(most);
    expect(ada.receipts.at(-1)).toMatchObject({ status: "rejected", reason: "pending-full" });
  });
});

describe("settlement", () => {
  it("[A3] happens once, in the tick in which the game has a result, from what admission captured", () => {
    const { room, ada } = joined();
    room.send(ada, ada.input([{ step: true }, { calls: [fire(4)] }, { step: true }, { step: true }]));
    room.toTick(12);
    expect(ada.receipts.map(brief)).toEqual([
      [1, "2/0", 1, "admitted", null, 3],
      [2, "2/0", 2, "settled", { from: 1, hits: 1 }, 7],
    ]);
    expect(body(room)).toMatchObject({ x: 3 + gunnerHolds, hits: 1 });
    expect(stored(room.store).state.pending).toEqual([]);
  });

  it("[A3] that hasn't come by the deadline tick never comes: the time-out wins that tick", () => {
    const { room, ada } = joined();
    room.act(ada, fire(6));
    room.toTick(20);
    expect(ada.receipts.map(brief)).toEqual([
      [1, "1/0", 1, "admitted", null, 2],
      [2, "1/0", 2, "timedOut", "deadline", 8],
    ]);
    expect(body(room)?.hits).toBe(0);
  });

  it("[A8][D3] goes on after a restart, under its identity, with what was captured", () => {
    const { room, ada } = joined();
    room.act(ada, fire(5));
    room.toTick(3);
    room.crash();
    room.resume(ada);
    room.toTick(12);
    expect(ada.receipts.filter(({ status }) => status === "settled").map(brief)).toEqual([
      [2, "1/0", 2, "settled", { from: 0, hits: 1 }, 7],
    ]);
    expect(body(room)?.hits).toBe(1);
  });

  it("[A8] goes on when its input session has ended, in the old stream, which stays readable", () => {
    const room = new Rig<Gunner>(gunner, { hooks, windowTicks: 1, sessions: { barrierTicks: 1 } });
    const ada = room.join(1);
    room.toTick(1);
    room.act(ada, fire(5));
    room.toTick(2);
    // Back with another queue.
    room.resume(ada, { nextSeq: 900, oldestSeq: 900 });
    room.toTick(5);
    expect(ada.snapshot.inputSession).toBe(2);
    ada.nextSeq = 1;
    room.send(ada, ada.input([{ calls: [fire(1)] }], { from: 1, inputSession: 2 }));
    room.toTick(12);
    expect(ada.receipts.map((receipt) => [receipt.session, ...brief(receipt)])).toEqual([
      [1, 1, "1/0", 1, "admitted", null, 2],
      [2, 1, "1/0", 1, "admitted", null, 6],
      [1, 2, "1/0", 2, "settled", { from: 0, hits: 1 }, 7],
      [2, 2, "1/0", 2, "settled", { from: 0, hits: 2 }, 7],
    ]);
    room.resume(ada);
    room.toTick(14);
    expect(ada.welcome.openSessions).toEqual([{ session: 1, head: 2 }]);
    const before = ada.receipts.length;
    room.send(ada, ada.frame({ type: "fetch", session: 1, from: 1, to: 2 }));
    room.toTick(15);
    expect(ada.receipts.slice(before).map(({ session, number }) => [session, number])).toEqual([
      [1, 1],
      [1, 2],
    ]);
  });

  it("[A7] of a seat that has ended is dropped with it, and its receipts with it", () => {
    const { room, ada } = joined();
    const bob = room.join(2);
    room.toTick(2);
    room.act(ada, { slot: SLOT.buy });
    room.toTick(3);
    room.send(ada, ada.frame({ type: "leave" }));
    room.toTick(4);
    const { state } = stored(room.store);
    expect(state.pending).toEqual([]);
    expect(state.seats.map(({ seat }) => seat)).toEqual([2]);
    room.act(bob, { slot: SLOT.wave });
    room.toTick(5);
    // The slot that Ada's receipt had is free again.
    expect(room.store.load()?.receipts.map(({ slot }) => slot)).toEqual([0]);
    room.crash();
    expect(room.core.stats().state).toBe("running");
  });
});

/** Ticks for which the default rule goes on holding `step` after the last command. */
const gunnerHolds = 6;

describe("a fault of an action", () => {
  it("[T6] whose admission throws costs its command only, and the action is rejected", () => {
    const { room, ada } = joined();
    room.act(ada, { slot: SLOT.jam }, { slot: SLOT.wave });
    room.toTick(4);
    expect(ada.receipts.map(brief)).toEqual([
      [1, "1/7", 1, "rejected", "fault", 2],
      [2, "2/1", 2, "settled", null, 3],
    ]);
    expect(room.core.stats()).toMatchObject({ faults: 1, state: "running" });
  });

  it("[T6] whose capture is too large to be stored is a fault like any other", () => {
    const { room, ada } = joined();
    room.act(ada, { slot: SLOT.hoard, params: { big: true } });
    room.toTick(4);
    expect(ada.receipts.map(brief)).toEqual([[1, "1/6", 1, "rejected", "fault", 2]]);
  });

  it.each([
    ["throws", "dud"],
    ["results in too much", "hoard"],
    ["makes another system throw", "curse"],
  ] as const)("[T6] whose settlement %s ends it as timed out, and the room goes on", (_, name) => {
    const { room, ada } = joined();
    room.act(ada, { slot: SLOT[name] }, fire(2));
    room.toTick(10);
    expect(room.core.stats().state).toBe("running");
    expect(ada.receipts.filter(({ slot }) => slot === SLOT[name]).map(brief)).toEqual([
      [expect.anything(), `1/${SLOT[name]}`, 1, "admitted", null, 2],
      [expect.anything(), `1/${SLOT[name]}`, 2, "timedOut", "fault", 3],
    ]);
    expect(ada.receipts.at(-1)).toMatchObject({ slot: SLOT.fire, status: "settled" });
    expect(body(room)?.cursed).toBe(0);
    expect(room.log).toContainEqual(expect.objectContaining({ event: "rejected-fault" }));
  });
});
