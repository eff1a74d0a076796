import { describe, expect, it } from "vitest";
import { decodeRoom } from "../../../protocol/index.ts";
import type { MemoryStore, RoomHooks } from "../../../room/core/index.ts";
import { defineGame } from "../../../sim/index.ts";
import { type Mover, mover } from "./mover.ts";
import { Rig } from "./rig.ts";

const hooks: RoomHooks<Mover> = { onJoin: (seat) => void seat.spawn("player") };

describe("stored state of another build", () => {
  const next = defineGame({ ...mover.spec, version: 2 });
  const other = defineGame({ ...mover.spec, name: "other" });
  const reshaped = defineGame({ ...mover.spec, tickRate: 30 });

  function storeOfMover(): MemoryStore {
    const room = new Rig(mover, { hooks });
    room.join(1);
    room.windows(2);
    return room.store;
  }

  it.each([
    ["another version", next],
    ["another game", other],
    ["another schema under the same version", reshaped],
  ] as const)("[D7] is refused for %s, with a reason, and left as it is", (_, game) => {
    const store = storeOfMover();
    const before = store.load()?.state;
    const room = new Rig(game as typeof mover, { store });
    const ada = room.join(1);
    expect(ada.closed?.code).toBe(4503);
    expect(ada.closed?.reason).toContain("stored-game: ");
    expect(room.core.stats().state).toBe("refused");
    expect(() => room.core.create({}, room.nowMs)).toThrow("stored");
    room.pass(1_000);
    expect(store.load()?.state).toEqual(before);
  });

  it("[D7] is refused when its bytes are damaged", () => {
    for (const damage of ["truncated", "flipped"]) {
      const store = storeOfMover();
      const { state } = store.load() as { state: Uint8Array };
      const world = decodeRoom(state, mover).world;
      const at = state.length - 1;
      const bytes = damage === "truncated" ? state.subarray(0, at) : flipInside(state, world);
      store.commit({
        state: bytes,
        ledgerSlot: 0,
        ledger: new Uint8Array(8),
        receipts: [],
        alarmAtMs: undefined,
      });
      const room = new Rig(mover, { store });
      expect(room.core.stats().state).toBe("refused");
    }
  });

  it("[D7] is replaced by a new room only where the game asks for that", () => {
    const store = storeOfMover();
    const room = new Rig(next, { store, onIncompatibleState: "reset", hooks: {} });
    const ada = room.join(1);
    room.windows(1);
    expect(ada.welcome).toMatchObject({ seat: 1, tick: 3 });
  });
});

/** Flips a bit in the middle of the stored world. */
function flipInside(state: Uint8Array, world: Uint8Array): Uint8Array {
  const bytes = state.slice();
  const needle = world.subarray(0, 24);
  const at = bytes.findIndex((_, i) => needle.every((byte, j) => bytes[i + j] === byte));
  bytes[at + 9] = (bytes[at + 9] as number) ^ 4;
  return bytes;
}
