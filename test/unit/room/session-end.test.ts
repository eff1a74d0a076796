import { describe, expect, it } from "vitest";
import { decodeLedger, decodeRoom, type LedgerEnd } from "../../../protocol/index.ts";
import type { RoomHooks } from "../../../room/core/index.ts";
import { type Mover, mover } from "./mover.ts";
import { Rig, type RigOptions } from "./rig.ts";

const hooks: RoomHooks<Mover> = { onJoin: (seat) => void seat.spawn("player") };
const STEP = { step: true };

function rig(options: RigOptions<Mover> = {}) {
  const room = new Rig(mover, { hooks, ...options });
  const ada = room.join(1);
  room.windows(1);
  return { room, ada };
}

function xOf(room: Rig<Mover>): number | undefined {
  const [player] = room.core.world.all("player");
  return player?.place.x;
}

function endsOf({ store }: Rig<Mover>): LedgerEnd[] {
  const ends: LedgerEnd[] = [];
  for (let slot = 0; slot < 200; slot++) {
    const bytes = store.ledger(slot);
    if (bytes) ends.push(...decodeLedger(bytes).ended);
  }
  return ends;
}

describe("a gap in the commands", () => {
  const gapRules = { sessions: { gapTimeoutTicks: 6, gapDeadlineTicks: 15 } };

  it("[I9] is asked for again after its time-out, and goes on where it was when it comes", () => {
    const { room, ada } = rig(gapRules);
    room.command(ada, STEP);
    room.send(ada, ada.input([STEP, STEP], { from: 4 }));
    room.windows(2);
    expect(ada.resends).toEqual([]);
    room.windows(1);
    expect(ada.resends).toEqual([{ type: "resend", session: 1, from: 2, to: 3 }]);
    expect(ada.snapshot.consumed).toBe(1);
    room.send(ada, ada.input([STEP, STEP], { from: 2 }));
    room.windows(2);
    expect(ada.snapshot).toMatchObject({ inputSession: 1, consumed: 5 });
    room.windows(20);
    expect(ada.sessionNews).toEqual([]);
    expect(ada.resends.length).toBe(1);
  });

  it("[I9] is asked for once per time-out", () => {
    const { room, ada } = rig({ sessions: { gapTimeoutTicks: 6, gapDeadlineTicks: 60 } });
    room.send(ada, ada.input([STEP], { from: 2 }));
    room.windows(10);
    expect(ada.resends.length).toBeGreaterThanOrEqual(4);
    expect(ada.resends.length).toBeLessThanOrEqual(5);
  });

  it("[I9][S5] closes the session after its deadline; what lies behind it is void, never executed", () => {
    const { room, ada } = rig(gapRules);
    room.command(ada, STEP);
    room.send(ada, ada.input([STEP, STEP], { from: 3 }));
    room.windows(8);
    expect(ada.sessionNews).toEqual([
      { type: "session", phase: "closed", session: 1, reason: "gap", finalConsumed: 1, opened: 2 },
    ]);
    expect(ada.snapshot).toMatchObject({ inputSession: 2, consumed: 0, durable: 0, credit: 128 });
    // One step and two held ones; 3 and 4 never happen, whatever is sent now.
    expect(xOf(room)).toBe(3);
    room.send(ada, ada.input([STEP], { from: 2, inputSession: 1 }));
    room.windows(2);
    expect(xOf(room)).toBe(3);
    expect(endsOf(room)).toMatchObject([{ seat: 1, session: 1, reason: "gap", finalConsumed: 1, opened: 2 }]);
  });

  it("[I9][S2] isn't held against a player whose link is down", () => {
    const { room, ada } = rig(gapRules);
    room.command(ada, STEP);
    room.send(ada, ada.input([STEP, STEP], { from: 3 }));
    room.drop(ada);
    room.windows(20);
    room.resume(ada, { oldestSeq: 1 });
    room.send(ada, ada.input([STEP], { from: 2 }));
    room.windows(2);
    expect(ada.snapshot).toMatchObject({ inputSession: 1, consumed: 4 });
  });
});

describe("an input session that can't go on", () => {
  it("[I7][S5] is closed when a number comes with other content, and so is its connection", () => {
    const { room, ada } = rig();
    room.command(ada, STEP, STEP, STEP, STEP, STEP);
    room.send(ada, ada.input([{ luck: true }], { from: 2 }));
    expect(ada.closed?.code).toBe(4433);
    room.resume(ada);
    room.windows(1);
    // The contiguous ones still happen: the digest only says that this client can't be trusted further.
    expect(ada.sessionNews).toMatchObject([{ phase: "closing", session: 1, reason: "digest-mismatch" }]);
    expect(ada.welcome).toMatchObject({ inputSession: 1, consumed: 3 });
    room.windows(1);
    expect(ada.sessionNews.at(-1)).toMatchObject({ phase: "closed", finalConsumed: 5, opened: 2 });
    // With the tick after the last one, which holds it.
    expect(xOf(room)).toBe(6);
  });

  it("[S2][S3] is closed for a client that has lost its queue, and for one that has an older copy of it", () => {
    for (const hello of [
      { inputSession: 0, nextSeq: 1 },
      { inputSession: 1, nextSeq: 2 },
      { inputSession: 1, oldestSeq: 6, nextSeq: 9 },
      { inputSession: 1, oldestSeq: 4, nextSeq: 400 },
      { inputSession: 77, nextSeq: 4 },
    ]) {
      const { room, ada } = rig();
      room.command(ada, STEP, STEP, STEP);
      room.windows(1);
      room.drop(ada);
      room.resume(ada, hello);
      room.windows(1);
      expect(ada.welcome).toMatchObject({ inputSession: 2, consumed: 0 });
      expect(ada.welcome.openSessions).toEqual([{ session: 1, head: 0 }]);
      const closed = { type: "session", phase: "closed", session: 1, reason: "queue-lost", finalConsumed: 3 };
      expect(ada.sessionNews).toEqual(hello.inputSession === 1 ? [{ ...closed, opened: 2 }] : []);
    }
  });

  it("[P7] is closed for a client that knows its place but gave its queue up", () => {
    const { room, ada } = rig();
    room.command(ada, STEP, STEP, STEP);
    room.windows(1);
    room.drop(ada);
    room.windows(100);
    room.resume(ada, { oldestSeq: 131, nextSeq: 131 });
    room.windows(1);
    expect(ada.sessionNews).toMatchObject([{ phase: "closed", reason: "replay-bound", finalConsumed: 3 }]);
    expect(ada.welcome.inputSession).toBe(2);
  });

  it("[S2] is told its end to a client that missed it, and the one that followed isn't closed as well", () => {
    const { room, ada } = rig();
    room.command(ada, STEP, STEP, STEP);
    room.windows(1);
    room.send(ada, ada.input([{ luck: true }], { from: 2 }));
    room.windows(3);
    room.resume(ada, { inputSession: 1, nextSeq: 4 });
    room.windows(1);
    expect(ada.welcome.inputSession).toBe(2);
    expect(ada.sessionNews).toMatchObject([{ phase: "closed", session: 1, finalConsumed: 3, opened: 2 }]);
    room.send(ada, ada.input([STEP], { from: 1, inputSession: 2 }));
    room.windows(1);
    expect(ada.snapshot).toMatchObject({ inputSession: 2, consumed: 1 });
  });

  it("[S5] takes no new commands while it closes, and executes those that were there", () => {
    const { room, ada } = rig();
    room.command(ada, STEP, STEP, STEP, STEP, STEP);
    room.resume(ada, { inputSession: 1, oldestSeq: 1, nextSeq: 3 });
    // The newer connection took the seat over: what the older one's left is discarded with it.
    room.windows(1);
    expect(ada.sessionNews).toEqual([]);
    const { room: other, ada: bob } = rig();
    other.command(bob, STEP, STEP, STEP, STEP, STEP);
    other.drop(bob);
    other.resume(bob, { inputSession: 1, oldestSeq: 1, nextSeq: 3 });
    other.windows(1);
    expect(bob.snapshot).toMatchObject({ inputSession: 1, consumed: 3, credit: 3 });
    other.send(bob, bob.input([STEP, STEP], { from: 6 }));
    other.windows(2);
    expect(bob.closed).toBeUndefined();
    expect(bob.sessionNews.map(({ phase }) => phase)).toEqual(["closing", "closed"]);
    expect(bob.sessionNews.at(-1)).toMatchObject({ finalConsumed: 5, opened: 2 });
  });

  it("[S5] is closed on disk before anybody is told", () => {
    const { room, ada } = rig();
    const receive = ada.receive.bind(ada);
    let checked = 0;
    ada.receive = (bytes) => {
      const { length } = ada.sessionNews;
      receive(bytes);
      const news = ada.sessionNews[length];
      if (!news) return;
      checked++;
      const state = decodeRoom(room.store.load()?.state as Uint8Array, mover);
      const sessions = state.seats[0]?.sessions ?? [];
      const { session, phase, finalConsumed } = news;
      expect(sessions.find(({ inputSession }) => inputSession === session)?.state).toBe(phase);
      if (phase === "closed") expect(sessions[1]?.consumed).toBe(finalConsumed);
    };
    room.command(ada, STEP, STEP, STEP, STEP);
    room.drop(ada);
    room.resume(ada, { inputSession: 0, nextSeq: 1 });
    room.windows(2);
    expect(checked).toBe(2);
    expect(ada.snapshot.inputSession).toBe(2);
  });

  it("[D3][S5] goes on closing after a crash", () => {
    const { room, ada } = rig({ sessions: { gapTimeoutTicks: 3, gapDeadlineTicks: 6 } });
    room.command(ada, STEP, STEP, STEP, STEP, STEP);
    room.send(ada, ada.input([{ luck: true }], { from: 2 }));
    room.windows(1);
    room.crash();
    room.windows(1);
    room.resume(ada, { inputSession: 1, oldestSeq: 4 });
    room.windows(1);
    // 4 and 5 were lost with the memory; in a session that closes nothing is taken again.
    expect(ada.sessionNews).toMatchObject([
      { phase: "closed", session: 1, reason: "digest-mismatch", finalConsumed: 3, opened: 2 },
    ]);
  });

  it("[A7] stays listed for its retention, then goes", () => {
    const { room, ada } = rig({ sessions: { retentionTicks: 30 } });
    room.drop(ada);
    room.resume(ada, { inputSession: 0, nextSeq: 1 });
    room.windows(1);
    const listed = () => decodeRoom(room.store.load()?.state as Uint8Array, mover).seats[0]?.sessions.length;
    expect(listed()).toBe(2);
    room.windows(9);
    expect(listed()).toBe(2);
    room.windows(2);
    expect(listed()).toBe(1);
  });

  it("[X1] makes room for the sixteenth by letting unneeded ones go early", () => {
    const { room, ada } = rig();
    for (let i = 0; i < 20; i++) {
      room.drop(ada);
      room.resume(ada, { inputSession: 0, nextSeq: 1 });
      room.windows(1);
    }
    expect(ada.welcome.inputSession).toBe(21);
    room.crash();
    expect(room.core.stats().state).toBe("running");
  });
});
