import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { SqliteStore } from "../../room/sqlite-store.ts";
import { storeContract } from "../contract/store.ts";
import { freshStub } from "./rooms.ts";

storeContract("the store in a Durable Object's SQLite", (test) =>
  runInDurableObject(freshStub("store"), async (_, { storage }) => {
    const open = async () => new SqliteStore(storage, await storage.getAlarm());
    try {
      await test({ store: await open(), reopen: open });
    } finally {
      await storage.deleteAlarm();
    }
  }),
);

describe("what the store relies on", () => {
  it("[D1] a throw inside transactionSync undoes rows and the alarm alike", () =>
    runInDurableObject(freshStub("undo"), async (_, { storage }) => {
      const atMs = Date.UTC(2200, 0, 1);
      storage.sql.exec("CREATE TABLE t (n INTEGER)");
      void storage.setAlarm(atMs);
      expect(() =>
        storage.transactionSync(() => {
          storage.sql.exec("INSERT INTO t VALUES (1)");
          void storage.setAlarm(atMs + 1000);
          throw new Error("halfway");
        }),
      ).toThrow("halfway");
      expect(storage.sql.exec("SELECT * FROM t").toArray()).toEqual([]);
      expect(await storage.getAlarm()).toBe(atMs);
      expect(() =>
        storage.transactionSync(() => {
          void storage.deleteAlarm();
          throw new Error("halfway");
        }),
      ).toThrow("halfway");
      expect(await storage.getAlarm()).toBe(atMs);
      await storage.deleteAlarm();
    }));

  it("[D1] a commit whose last statement fails leaves state, ledger and alarm as they were", () =>
    runInDurableObject(freshStub("atomic"), async (_, { storage }) => {
      const store = new SqliteStore(storage, await storage.getAlarm());
      const atMs = Date.UTC(2200, 0, 1);
      store.commit({
        state: Uint8Array.of(1),
        ledgerSlot: 1,
        ledger: Uint8Array.of(2),
        receipts: [],
        alarmAtMs: atMs,
      });
      const bad = {
        state: Uint8Array.of(9),
        ledgerSlot: "no slot" as never,
        ledger: Uint8Array.of(9),
        receipts: [],
      };
      expect(() => store.commit({ ...bad, alarmAtMs: atMs + 1 })).toThrow();
      for (const opened of [store, new SqliteStore(storage, await storage.getAlarm())]) {
        expect(opened.load()?.state).toEqual(Uint8Array.of(1));
        expect(opened.ledger(1)).toEqual(Uint8Array.of(2));
        expect(opened.alarmMs()).toBe(atMs);
      }
      await storage.deleteAlarm();
    }));

  it("[D5] an overwritten row counts as one row written", () =>
    runInDurableObject(freshStub("rows"), (_, { storage }) => {
      const { sql } = storage;
      sql.exec("CREATE TABLE u (slot INTEGER PRIMARY KEY, bytes BLOB) STRICT");
      const put = (byte: number) => {
        const cursor = sql.exec(
          "INSERT INTO u VALUES (1, ?) ON CONFLICT (slot) DO UPDATE SET bytes = excluded.bytes",
          Uint8Array.of(byte),
        );
        cursor.toArray();
        return cursor.rowsWritten;
      };
      expect([put(1), put(2)]).toEqual([1, 1]);
    }));
});
