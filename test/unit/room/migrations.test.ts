import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { decodeRoom } from "../../../protocol/index.ts";
import { MemoryStore, type Migration, migration, replay } from "../../../room/core/index.ts";
import { defineGame, type Game, type GameShape, unpackCalls } from "../../../sim/index.ts";
import { type Keep1, type Keep3, keep1, keep2, keep3 } from "./fixtures/keep.ts";
import { Rig, type RigOptions } from "./rig.ts";
import { Errands } from "./shop.ts";
import { TestClient } from "./test-client.ts";

interface Fixture {
  readonly state: string;
  readonly receipts: readonly { readonly slot: number; readonly bytes: string }[];
}

const fixture = JSON.parse(
  readFileSync(new URL("./fixtures/keep-v1.json", import.meta.url), "utf8"),
) as Fixture;
const bytes = (base64: string) => new Uint8Array(Buffer.from(base64, "base64"));

/** What a room found in its storage that was written by version 1 of format and game. */
function oldStore(): MemoryStore {
  const store = new MemoryStore();
  const receipts = fixture.receipts.map(({ slot, bytes: text }) => ({ slot, bytes: bytes(text) }));
  const [state, ledger] = [bytes(fixture.state), new Uint8Array(8)];
  store.commit({ state, ledgerSlot: 0, ledger, receipts, alarmAtMs: undefined });
  return store;
}

function reopened<S extends GameShape>(game: Game<S>, options: RigOptions<S> = {}) {
  const errands = new Errands(["buy"]);
  const store = oldStore();
  const room = new Rig<S>(game, { store, calls: errands, ...options });
  return { room, errands, store };
}

const steps: readonly Migration[] = [
  migration(keep1, keep2),
  migration(keep2, keep3, (world, old) => {
    for (const torch of old.all("torch")) world.spawn("lamp", { body: { x: torch.body.x, y: torch.body.y } });
    for (const player of world.all("player")) player.body.vx = player.look.level;
  }),
];
const rowsOf = <S extends GameShape>(room: Rig<S>) => room.core.watch.view(100).entities;

describe("a room stored by the first version", () => {
  it("[D7] goes on under the game that wrote it, with every seat, action and debt", () => {
    const { room, errands } = reopened<Keep1>(keep1);
    expect(room.core.stats()).toMatchObject({ incarnation: 2, seats: 2, debts: 1, entities: 5 });
    expect(rowsOf(room).find(({ archetype }) => archetype === "rock")?.fields).toMatchObject({
      "body.x": -3.5,
      "look.colour": "green",
      "look.level": 42,
      "look.awake": true,
    });
    expect(errands.undoings).toMatchObject([{ action: "buy", capture: { price: 7 } }]);
    expect(room.core.export().ledger).toEqual([]);
  });

  it("[D7] goes on two game versions later: entities by their names, ids and references as they were", () => {
    const { room } = reopened<Keep3>(keep3, { migrations: steps });
    const before = rowsOf(reopened<Keep1>(keep1).room);
    expect(room.log).toContainEqual(expect.objectContaining({ event: "migrated", reason: "from version 1" }));
    expect(room.core.stats()).toMatchObject({ state: "running", incarnation: 2, seats: 2, debts: 1 });
    const world = room.core.world;
    expect(world.tick).toBe(decodeRoom(bytes(fixture.state), keep1).tick);
    const [rock] = world.all("rock");
    expect(rock?.id).toBe(before.find(({ archetype }) => archetype === "rock")?.id);
    // Its colour is gone from the game.
    expect(rock?.look).toMatchObject({ colour: "blue", level: 42, awake: true });
    expect(rock?.body).toMatchObject({ x: -3.5, y: 8.25, vx: 0 });
    const players = [...world.all("player")];
    expect(players.map(({ id, owner }) => [id, owner])).toEqual(
      before.filter(({ archetype }) => archetype === "player").map(({ id, owner }) => [id, owner]),
    );
    for (const { look, body, purse, shield } of players) {
      expect(look).toMatchObject({ colour: "blue", level: 7, aim: 1.5 });
      expect(world.get(look.friend)?.id).toBe(rock?.id);
      expect(body.vx).toBe(7);
      expect(purse.coins).toBe(20);
      expect(shield?.left).toBe(3);
    }
    const torches = before.filter(({ archetype }) => archetype === "torch");
    const lamps = [...world.all("lamp")];
    expect(lamps.map(({ body }) => [body.x, body.y])).toEqual(
      torches.map(({ fields }) => [fields["body.x"], fields["body.y"]]),
    );
    // Their ids are used again, for other lives.
    for (const lamp of lamps) expect(lamp.epoch).toBeGreaterThan(1);
  });

  it("[D7][S2] keeps the seat of a page that comes back as the new version, without its old queue", () => {
    const { room } = reopened<Keep3>(keep3, { migrations: steps });
    const old = new TestClient(keep1, 1);
    room.connect(old as unknown as TestClient<Keep3>);
    room.send(old as unknown as TestClient<Keep3>, old.hello());
    expect(old.closed?.code).toBe(4412);
    const ada = room.join(1);
    room.windows(4);
    expect(ada.welcome).toMatchObject({ seat: 1 });
    const x = () => [...room.core.world.owned(ada.welcome.seat as never)].map((one) => one.body.x)[0];
    const from = x() as number;
    // What the old page had on the way is void: the new one can't read it.
    expect(ada.welcome.openSessions).toEqual([{ session: 1, head: 0 }]);
    expect(ada.welcome.inputSession).toBeGreaterThan(3);
    room.command(ada, ...Array.from({ length: 6 }, () => ({ moveX: 1 })));
    room.windows(2);
    expect(x()).toBeCloseTo(from + 6, 5);
  });

  it("[D7][A8] carries actions on the way and owed calls over, under the keys that they had", () => {
    const { room, errands, store } = reopened<Keep3>(keep3, { migrations: steps });
    const then = reopened<Keep1>(keep1);
    expect(errands.calls).toEqual(then.errands.calls);
    expect(errands.undoings).toEqual(then.errands.undoings);
    room.windows(1);
    const now = decodeRoom(store.load()?.state as Uint8Array, keep3);
    const was = decodeRoom(bytes(fixture.state), keep1);
    const calls = now.pending.map(({ params }) => unpackCalls(keep3.schema, params, 0));
    expect(calls).toEqual(was.pending.map(({ params }) => unpackCalls(keep1.schema, params, 0)));
    const [call] = errands.calls;
    room.core.answer(call?.key as string, true, room.nowMs);
    room.windows(1);
    expect(decodeRoom(store.load()?.state as Uint8Array, keep3).pending).toHaveLength(was.pending.length - 1);
  });

  it("[D4][D7] begins new records, which replay under the new version", () => {
    const { room } = reopened<Keep3>(keep3, { migrations: steps });
    const ada = room.join(4);
    room.windows(1);
    for (let window = 0; window < 20; window++) {
      room.command(ada, { moveX: 1 }, { moveX: 1 }, { moveX: 1 });
      room.windows(1);
    }
    const recorded = room.core.export();
    expect(replay<Keep3>({ game: keep3, hooks: {}, recorded })).toMatchObject({ agree: true });
  });

  it("[D1][D7] stores nothing before the first window, so that a crash migrates again to the same", () => {
    const { room, store } = reopened<Keep3>(keep3, { migrations: steps });
    expect(store.load()?.state).toEqual(bytes(fixture.state));
    const first = room.core.world.hash();
    room.crash();
    expect(room.core.world.hash()).toBe(first);
  });
});

describe("a migration that can't be", () => {
  it("[D7] is refused with its reason when its code throws, and nothing stored is touched", () => {
    const failing = migration(keep2, keep3, () => {
      throw new Error("no lamps");
    });
    const { room, store } = reopened<Keep3>(keep3, { migrations: [steps[0] as Migration, failing] });
    expect(room.core.stats().state).toBe("refused");
    const [refused] = room.log.filter(({ event }) => event === "state-refused");
    expect(refused?.reason).toContain("from version 2 to 3 failed: Error: no lamps");
    expect(store.load()?.state).toEqual(bytes(fixture.state));
  });

  it("[D7] leaves a room refused when no step leads to the game, and none backwards", () => {
    for (const migrations of [[], [steps[1] as Migration]]) {
      expect(reopened<Keep3>(keep3, { migrations }).room.core.stats().state).toBe("refused");
    }
    const { store } = reopened<Keep3>(keep3, { migrations: steps });
    const next = new Rig<Keep3>(keep3, { store, migrations: steps });
    next.join(1);
    next.windows(1);
    const back = new Rig<Keep1>(keep1, { store, migrations: steps });
    expect(back.core.stats().state).toBe("refused");
  });

  it("[D7][A3] is an error before any room is opened when an action would get another number or meaning", () => {
    const { wave, buy } = keep1.spec.actions as Required<typeof keep1.spec>["actions"];
    const actionRules = keep1.spec.actionRules as NonNullable<typeof keep1.spec.actionRules>;
    const next = { ...keep1.spec, version: 2 };
    const swapped = defineGame({ ...next, actions: { buy, wave }, actionRules });
    const bare = { ...buy, params: {} } as unknown as typeof buy;
    const changed = defineGame({ ...next, actions: { wave, buy: bare }, actionRules });
    expect(() => migration(keep1, swapped)).toThrow('action "wave" must stay number 0');
    expect(() => migration(keep1, changed)).toThrow('action "buy" must stay number 1');
    expect(() => migration(keep1, defineGame({ ...next, tickRate: 30 }))).toThrow("tick rate");
    expect(() => migration(keep1, defineGame({ ...next, name: "other" }))).toThrow("another game");
    expect(() => migration(keep3, keep1)).toThrow("versions only rise");
  });
});
