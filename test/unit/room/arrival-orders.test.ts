import { describe, expect, it } from "vitest";
import type { Receipt } from "../../../protocol/index.ts";
import { afterTicks, type Gunner, gunner, SLOT } from "./gunner.ts";
import { Rig } from "./rig.ts";
import type { TestClient } from "./test-client.ts";

/** All orders of a list. */
function permutations<T>(items: readonly T[]): T[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((item, i) =>
    permutations([...items.slice(0, i), ...items.slice(i + 1)]).map((rest) => [item, ...rest]),
  );
}

const shot = [{ calls: [{ slot: SLOT.fire, params: { delay: afterTicks(4) } }] }, { step: true }];

type Event = (room: Rig<Gunner>, ada: TestClient<Gunner>) => void;

/** What may reach the room between the admission (tick 2), the hit (tick 6), and after it. */
const EVENTS: Record<string, Event> = {
  "the commands again": (room, ada) => room.send(ada, ada.input(shot, { from: 1 })),
  "a reconnect": (room, ada) => room.resume(ada),
  "a crash and a reconnect": (room, ada) => {
    room.crash();
    room.resume(ada);
  },
  "a baseline request": (room, ada) =>
    room.send(ada, ada.frame({ type: "baseline", session: 1, cursor: 0, requestId: 1 })),
  "a confirmation": (room, ada) => {
    const cursor = Math.max(0, ...ada.receipts.map(({ number }) => number));
    room.send(ada, ada.frame({ type: "cursor", session: 1, cursor, baselineId: 0 }));
  },
};

function byRevision(receipts: Iterable<Receipt>): Map<number, Set<string>> {
  const seen = new Map<number, Set<string>>();
  for (const receipt of receipts) {
    const texts = seen.get(receipt.revision) ?? new Set();
    seen.set(receipt.revision, texts.add(JSON.stringify(receipt)));
  }
  return seen;
}

describe("worked case 3: admitted in one tick, hit four ticks later", () => {
  const orders = permutations(Object.keys(EVENTS));
  // The events come before, around and after the hit.
  it.each([2, 4, 6])(
    `[A2][A4][A6][A8][I4] one final receipt, one effect in all ${orders.length} orders of what else arrives from tick %i on`,
    (first) => {
      for (const order of orders) {
        const room = new Rig<Gunner>(gunner, {
          windowTicks: 1,
          hooks: { onJoin: (seat) => void seat.spawn("player") },
        });
        const ada = room.join(1);
        room.toTick(1);
        room.send(ada, ada.input(shot));
        room.toTick(first);
        for (const name of order) {
          EVENTS[name]?.(room, ada);
          room.toTick(room.core.tick + 1);
        }
        room.toTick(12);
        room.send(ada, ada.frame({ type: "fetch", session: 1, from: 1, to: 9 }));
        room.toTick(13);
        const why = `${order.join(", ")} from tick ${first}`;
        const items = [...ada.receipts, ...ada.baselines.flatMap((baseline) => baseline.items)];
        const seen = byRevision(items);
        expect([...seen.keys()].sort(), why).toEqual([1, 2]);
        for (const texts of seen.values()) expect(texts.size, why).toBe(1);
        expect(items.filter(({ revision }) => revision === 2)[0], why).toMatchObject({
          number: 2,
          seq: 1,
          status: "settled",
          result: { from: 0, hits: 1 },
          tick: 6,
        });
        expect(ada.snapshot, why).toMatchObject({ receiptHead: 2, consumed: 2 });
        const [player] = room.core.world.all("player");
        expect(player?.body, why).toMatchObject({ ammo: 999, hits: 1 });
      }
    },
  );
});
