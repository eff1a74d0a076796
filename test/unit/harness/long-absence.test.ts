import { describe, expect, it } from "vitest";
import { decodeServerFrame } from "../../../protocol/index.ts";
import { createHarness } from "../../harness/index.ts";
import { ordersOf, type Shots, shots, shotsHooks } from "./shots.ts";

const MESSAGES = ["closed", "snapshot", "receipts"] as const;
type Message = (typeof MESSAGES)[number];

describe("worked case 5: offline for 5 s while moving", () => {
  const cases = [1, 2 ** 16 - 60, 2 ** 31 - 60].flatMap((firstSeq) =>
    ordersOf(MESSAGES).map((order) => ({ firstSeq, order, name: order.join(", ") })),
  );
  it.each(cases)(
    "[P7] [S5] [I6] [A8] [I2] gives up what wasn't executed and runs none of it later, from $firstSeq: $name",
    ({ firstSeq, order }) => {
      const harness = createHarness<Shots>({
        game: shots,
        hooks: shotsHooks,
        link: { latencyMs: 20 },
        room: { sessions: { firstSeq } },
      });
      const client = harness.client(0);
      const statuses: string[] = [];
      client.core.receipts.on("fire", ({ status }) => statuses.push(status));
      const voids = client.record("void");
      harness.untilJoined();
      client.input.set({ steps: 1 / 127 });
      harness.advance(600);
      const before = harness.store.ledgerRows.at(-1)?.sessions[0]?.inputSession;
      // A shot that the room admits, and whose receipts are lost with the connection.
      client.down.hold();
      client.actions.fire();
      harness.advance(150);
      const { epoch } = client.stats();
      harness.dropConnection(client, { forMs: 5000, roomNotices: false });
      const made = client.newestSeq;
      harness.advance(4500);
      const stopped = client.newestSeq;
      harness.advance(400);
      expect(client.newestSeq).toBe(stopped);
      expect(stopped - made).toBeLessThanOrEqual(128);
      expect(stopped).toBeGreaterThan(made);

      // Whatever is made from now on stands still.
      client.input.set({ steps: 0 });
      const blocked = new Set<Message>(MESSAGES);
      const isBlocked = (bytes: Uint8Array) => {
        const frame = decodeServerFrame(bytes);
        if (frame.type === "session") return frame.phase === "closed" && blocked.has("closed");
        if (frame.type === "snapshot") return frame.inputSession !== before && blocked.has("snapshot");
        return (frame.type === "receipts" || frame.type === "baseline") && blocked.has("receipts");
      };
      client.down.hold(isBlocked);
      harness.advance(1000);
      for (const message of order) {
        blocked.delete(message);
        client.down.hold(isBlocked);
        harness.advance(200);
      }
      client.down.release();
      harness.settle();

      const executed = harness.executed(client);
      const lastOfOld = executed.findLast(({ inputSession }) => inputSession === before)?.seq ?? 0;
      expect(voids).toHaveLength(1);
      expect(voids[0]).toMatchObject({
        session: before,
        from: lastOfOld + 1,
        to: stopped,
        reason: "replay-bound",
      });
      expect(client.stats().epoch).toBeGreaterThan(epoch);
      const later = executed.filter(({ inputSession }) => inputSession !== before);
      expect(later.length).toBeGreaterThan(0);
      expect(later.filter(({ command }) => command.steps !== 0)).toEqual([]);
      expect(statuses.filter((status) => status === "settled")).toHaveLength(1);
      expect(statuses.at(-1)).toBe("settled");
      expect(harness.ledgerProblems()).toEqual([]);
      expect(harness.disagreements()).toEqual([]);
    },
  );
});
