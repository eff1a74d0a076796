import { describe, expect, it } from "vitest";
import { LIMITS } from "../../protocol/index.ts";
import type { RoomStore, RoomWrite } from "../../room/core/index.ts";

const MAX_STATE_BYTES = LIMITS.storedStateBytes;

export interface StoreUnderTest {
  readonly store: RoomStore;
  /** A second store over the same disk, as after a restart. */
  readonly reopen: () => RoomStore | Promise<RoomStore>;
}

/** Gives a fresh, empty store to one test. */
export type WithStore = (test: (given: StoreUnderTest) => void | Promise<void>) => Promise<void>;

function bytes(length: number, seed: number): Uint8Array {
  const made = new Uint8Array(length);
  for (let i = 0, x = seed; i < length; i++) {
    x = (Math.imul(x, 1_103_515_245) + 12_345) >>> 0;
    made[i] = x >>> 16;
  }
  return made;
}

function write(over: Partial<RoomWrite> = {}): RoomWrite {
  const base = { state: bytes(500, 1), ledgerSlot: 3, ledger: bytes(90, 2), receipts: [], alarmAtMs: FAR };
  return { ...base, ...over };
}

/** Far enough in the future that no alarm fires while a test runs. */
const FAR = Date.UTC(2200, 0, 1);

/** What every RoomStore must do. */
export function storeContract(name: string, withStore: WithStore): void {
  describe(name, () => {
    it("[D1] is empty at first", () =>
      withStore(({ store }) => {
        expect(store.load()).toBeUndefined();
        expect(store.ledger(0)).toBeUndefined();
        expect(store.alarmMs()).toBeUndefined();
      }));

    it("[D1] gives back what a commit wrote, also after a restart", () =>
      withStore(async ({ store, reopen }) => {
        store.commit(write());
        for (const opened of [store, await reopen()]) {
          expect(opened.load()?.state).toEqual(bytes(500, 1));
          expect(opened.ledger(3)).toEqual(bytes(90, 2));
          expect(opened.alarmMs()).toBe(FAR);
        }
      }));

    it("[D1] keeps what was committed although the caller goes on using its buffers", () =>
      withStore(({ store }) => {
        const { state, ledger } = write();
        store.commit(write({ state, ledger }));
        state.fill(0);
        ledger.fill(0);
        expect(store.load()?.state).toEqual(bytes(500, 1));
        expect(store.ledger(3)).toEqual(bytes(90, 2));
      }));

    it("[D1] takes a view into a larger buffer for what it shows, not for the whole buffer", () =>
      withStore(({ store }) => {
        const large = bytes(1_000, 5);
        store.commit(write({ state: large.subarray(100, 200), ledger: large.subarray(300, 310) }));
        expect(store.load()?.state).toEqual(large.slice(100, 200));
        expect(store.ledger(3)).toEqual(large.slice(300, 310));
      }));

    it("[D1] gives back receipts and checkpoints by their slots, also after a restart", () =>
      withStore(async ({ store, reopen }) => {
        const receipts = [
          { slot: 9, bytes: bytes(30, 3) },
          { slot: 2, bytes: bytes(40, 4) },
        ];
        store.commit(write({ receipts, checkpoint: { slot: 1, bytes: bytes(60, 5) } }));
        store.commit(write({ receipts: [{ slot: 9, bytes: bytes(31, 6) }] }));
        for (const opened of [store, await reopen()]) {
          expect(opened.load()?.receipts).toEqual([
            { slot: 2, bytes: bytes(40, 4) },
            { slot: 9, bytes: bytes(31, 6) },
          ]);
          expect(opened.checkpoint(0)).toBeUndefined();
          expect(opened.checkpoint(1)).toEqual(bytes(60, 5));
        }
      }));

    it("[D5] writes a row per receipt and one for a checkpoint on top, in slots that are used again", () =>
      withStore(({ store }) => {
        const receipts = [7, 8].map((slot) => ({ slot, bytes: bytes(30, slot) }));
        const full = write({ receipts, checkpoint: { slot: 0, bytes: bytes(60, 5) } });
        for (let i = 0; i < 2; i++) {
          const before = store.rowsWritten;
          store.commit({ ...full, alarmAtMs: FAR + i });
          expect(store.rowsWritten - before).toBe(6);
        }
      }));

    it("[D4] keeps a checkpoint that is larger than one row", () =>
      withStore(async ({ store, reopen }) => {
        const large = bytes(4_000_000, 13);
        store.commit(write({ checkpoint: { slot: 1, bytes: large } }));
        store.commit(write({ checkpoint: { slot: 0, bytes: bytes(60, 5) } }));
        const opened = await reopen();
        expect(same(opened.checkpoint(1), large)).toBe(true);
        expect(opened.checkpoint(0)).toEqual(bytes(60, 5));
      }));

    it("[D7] forgets everything but the alarm when its room begins anew", () =>
      withStore(async ({ store, reopen }) => {
        const slot = { slot: 0, bytes: bytes(9, 1) };
        store.commit(write({ receipts: [slot], checkpoint: slot }));
        store.clear();
        for (const opened of [store, await reopen()]) {
          expect(opened.load()).toBeUndefined();
          expect(opened.ledger(3)).toBeUndefined();
          expect(opened.checkpoint(0)).toBeUndefined();
          expect(opened.alarmMs()).toBe(FAR);
        }
        store.commit(write());
        expect(store.load()?.receipts).toEqual([]);
      }));

    it("[D5] overwrites a recycled ledger slot and leaves the others", () =>
      withStore(({ store }) => {
        store.commit(write({ ledgerSlot: 0, ledger: bytes(10, 7) }));
        store.commit(write({ ledgerSlot: 255, ledger: bytes(20, 8) }));
        store.commit(write({ ledgerSlot: 0, ledger: bytes(30, 9) }));
        expect(store.ledger(0)).toEqual(bytes(30, 9));
        expect(store.ledger(255)).toEqual(bytes(20, 8));
      }));

    it("[D5] writes a state row, a ledger row and the alarm per commit, no more", () =>
      withStore(({ store }) => {
        store.commit(write());
        const before = store.rowsWritten;
        for (let i = 0; i < 5; i++) store.commit(write({ alarmAtMs: FAR + i, ledgerSlot: i }));
        for (let i = 0; i < 5; i++) store.commit(write({ alarmAtMs: FAR + 9 + i, ledgerSlot: i }));
        expect(store.rowsWritten - before).toBe(30);
      }));

    it("[D5] holds a state that is larger than one row, and a smaller one after it", () =>
      withStore(async ({ store, reopen }) => {
        const large = bytes(MAX_STATE_BYTES, 11);
        store.commit(write({ state: large }));
        expect(same((await reopen()).load()?.state, large)).toBe(true);
        const smaller = bytes(2_500_000, 12);
        store.commit(write({ state: smaller }));
        expect(same((await reopen()).load()?.state, smaller)).toBe(true);
        store.commit(write());
        expect((await reopen()).load()?.state).toEqual(bytes(500, 1));
      }));

    it("[D5] refuses a state over its limit and then has written nothing of that commit", () =>
      withStore(async ({ store, reopen }) => {
        store.commit(write());
        const tooLarge = write({
          state: new Uint8Array(MAX_STATE_BYTES + 1),
          ledger: bytes(5, 9),
          alarmAtMs: FAR + 5,
        });
        expect(() => store.commit(tooLarge)).toThrow(RangeError);
        for (const opened of [store, await reopen()]) {
          expect(opened.load()?.state).toEqual(bytes(500, 1));
          expect(opened.ledger(3)).toEqual(bytes(90, 2));
          expect(opened.alarmMs()).toBe(FAR);
        }
      }));

    it("[T7] takes the alarm away with a commit that names none", () =>
      withStore(async ({ store, reopen }) => {
        store.commit(write());
        store.commit(write({ alarmAtMs: undefined }));
        expect(store.alarmMs()).toBeUndefined();
        expect((await reopen()).alarmMs()).toBeUndefined();
      }));

    it("[T5] sets an alarm without a commit", () =>
      withStore(async ({ store, reopen }) => {
        store.setAlarm(FAR + 1);
        store.setAlarm(FAR + 2);
        expect(store.alarmMs()).toBe(FAR + 2);
        expect((await reopen()).alarmMs()).toBe(FAR + 2);
        expect(store.load()).toBeUndefined();
      }));
  });
}

/** Byte by byte; the matcher's own comparison of megabytes takes seconds. */
function same(a: Uint8Array | undefined, b: Uint8Array): boolean {
  return a?.length === b.length && a.every((byte, i) => byte === b[i]);
}
