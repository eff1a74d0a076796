import { describe, expect, it } from "vitest";
import { createHarness } from "../../harness/index.ts";
import { DEADLINE, type Shots, shots, shotsHooks } from "./shots.ts";

const options = { game: shots, hooks: shotsHooks };

describe("a harness for games with actions", () => {
  it("[A3] leaves calls to be answered by hand", () => {
    const harness = createHarness<Shots>(options);
    harness.untilJoined();
    const handle = harness.client(0).actions.ask();
    harness.until(() => harness.calls.open.length === 1, { what: "the call" });
    const [call] = harness.calls.open;
    expect(call).toMatchObject({ action: "ask", repeats: 0, isOpen: true });
    call?.answer("yes");
    expect(harness.calls.open).toEqual([]);
    harness.until(() => handle.status === "settled", { withinMs: 500, what: "the receipt" });
  });

  it("[A3] answers calls by itself, and has those of a dead process made again under the same key", () => {
    const harness = createHarness<Shots>(options);
    const keys: string[] = [];
    harness.calls.auto((call) => {
      keys.push(`${call.key} ${call.repeats}`);
      if (call.repeats > 0) harness.after(10, () => call.answer(call.repeats));
    });
    harness.untilJoined();
    const handle = harness.client(0).actions.ask();
    harness.until(() => keys.length === 1, { what: "the call" });
    harness.crashRoom();
    harness.until(() => handle.status === "settled", { withinMs: DEADLINE * 1000, what: "the receipt" });
    expect(keys.map((key) => key.split(" ")[0])).toEqual([keys[0]?.split(" ")[0], keys[0]?.split(" ")[0]]);
    expect([...harness.calls.made.values()]).toEqual([2]);
  });

  it("[A3] has an answer to a process that has ended heard by nobody", () => {
    const harness = createHarness<Shots>(options);
    harness.untilJoined();
    const handle = harness.client(0).actions.ask();
    harness.until(() => harness.calls.open.length === 1, { what: "the call" });
    const [call] = harness.calls.open;
    harness.crashRoom();
    harness.advance(50);
    call?.answer("from the past");
    harness.until(() => handle.status === "timedOut", { what: "the time-out" });
    expect(harness.store.ledgerRows.flatMap(({ answers }) => answers)).toEqual([]);
  });

  it("[S3] reloads a page that goes on where it was, or begins another input session without its queue", () => {
    for (const store of ["kept", "lost"] as const) {
      const harness = createHarness<Shots>({ ...options, link: { latencyMs: 20 } });
      const client = harness.client(0);
      const joined = client.record("joined");
      harness.untilJoined();
      harness.advance(300);
      const seat = client.seat;
      const page = client.core;
      harness.reloadClient(client, { store });
      expect(client.core).not.toBe(page);
      harness.advance(500);
      harness.settle();
      expect(client.seat).toBe(seat);
      expect(joined.map(({ resumed }) => resumed)).toEqual([false, store === "kept"]);
      const sessions = new Set(harness.executed(client).map(({ inputSession }) => inputSession));
      expect(sessions.size).toBe(store === "kept" ? 1 : 2);
      expect(harness.ledgerProblems()).toEqual([]);
      expect(harness.disagreements()).toEqual([]);
    }
  });

  it("[D3] ends the process at the boundary that was asked for, and no later", () => {
    for (const [at, stored] of [
      ["before-commit", 0],
      ["after-commit", 1],
      ["before-send", 1],
    ] as const) {
      const harness = createHarness<Shots>(options);
      harness.untilJoined();
      const rows = harness.store.ledgerRows.length;
      const { incarnation } = harness.room;
      const told = harness.client(0).stats().durable;
      harness.crashRoom({ at, downMs: 100 });
      harness.advance(60);
      expect(harness.store.ledgerRows.length - rows).toBe(stored);
      expect(harness.client(0).stats().durable).toBe(told);
      harness.until(() => harness.room.incarnation === incarnation + 1, { what: "the restart" });
    }
  });

  it("[T4] runs no tick twice when the alarm is repeated, and none too few when it is late", () => {
    const harness = createHarness<Shots>(options);
    harness.untilJoined();
    const before = harness.room.tick;
    for (let i = 0; i < 20; i++) {
      harness.advance(10);
      harness.repeatAlarm();
    }
    harness.delayAlarm(200);
    harness.advance(300);
    expect(harness.room.tick - before).toBeGreaterThanOrEqual(27);
    expect(harness.room.tick - before).toBeLessThanOrEqual(30);
    expect(harness.ledgerProblems()).toEqual([]);
  });

  it("[I9] asks again for what a lane has lost", () => {
    const harness = createHarness<Shots>({ ...options, room: { sessions: { gapTimeoutTicks: 6 } } });
    harness.untilJoined();
    const [client] = harness.clients;
    client?.up.lose(1);
    harness.advance(1000);
    harness.settle();
    expect(harness.executed(0).length).toBeGreaterThan(60);
    expect(harness.ledgerProblems()).toEqual([]);
    expect(harness.disagreements()).toEqual([]);
  });
});
