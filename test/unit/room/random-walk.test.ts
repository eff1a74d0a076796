import { describe, expect, it } from "vitest";
import { decodeLedger, decodeRoom } from "../../../protocol/index.ts";
import { LEDGER_SLOTS, MemoryStore, type RoomHooks, type RoomWrite } from "../../../room/core/index.ts";
import { type CommandOf, defineGame, unpackCommand } from "../../../sim/index.ts";
import { type Mover, mover } from "./mover.ts";
import { Rig } from "./rig.ts";
import { TestClient } from "./test-client.ts";

const hooks: RoomHooks<Mover> = { onJoin: (seat) => void seat.spawn("player") };

/** Without a hold rule, so that the steps of a player are those of its commands. */
const game = defineGame({ ...mover.spec, missingInput: { rule: "neutral" } });

/** Fails now and then, and checks each write against the one before it. */
class WatchedStore extends MemoryStore {
  readonly #chance: () => number;
  /** Steps that the ledger says were walked, by seat. */
  readonly walked = new Map<number, number>();
  readonly #consumed = new Map<number, number>();
  #commit = 0;
  #tick = 0;

  constructor(chance: () => number) {
    super();
    this.#chance = chance;
  }

  override commit(write: RoomWrite): void {
    if (this.#chance() < 0.05) throw new Error("no disk today");
    const state = decodeRoom(write.state, game);
    const ledger = decodeLedger(write.ledger);
    expect(write.ledgerSlot).toBe(state.commit % LEDGER_SLOTS);
    expect(state.commit).toBe(this.#commit + 1);
    expect([ledger.fromTick, ledger.toTick, ledger.hash]).toEqual([this.#tick, state.tick, state.hash]);
    for (const { seat, inputSession, entries, missedTicks } of ledger.sessions) {
      const ticks = [...entries.map(({ tick }) => tick), ...missedTicks].sort((a, b) => a - b);
      expect(ticks).toEqual(Array.from({ length: state.tick - this.#tick }, (_, i) => this.#tick + 1 + i));
      for (const { seq, bytes, disposition } of entries) {
        expect(seq).toBe((this.#consumed.get(inputSession) ?? 0) + 1);
        this.#consumed.set(inputSession, seq);
        const { step } = unpackCommand<Mover>(game.schema, bytes);
        if (step && disposition === 1) this.walked.set(seat, (this.walked.get(seat) ?? 0) + 1);
      }
    }
    this.#commit = state.commit;
    this.#tick = state.tick;
    super.commit(write);
  }
}

/** A seeded source of numbers in [0, 1). */
function dice(seed: number): () => number {
  let state = seed * 2_654_435_761;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4_294_967_296;
  };
}

/** A player with a delivery queue: it sends again what isn't durable, under its old number. */
class Player {
  readonly client: TestClient<Mover>;
  readonly #queue = new Map<number, Partial<CommandOf<Mover>>>();
  /** Newest command that this connection has carried. */
  #carried = 0;
  #welcomes = 0;

  constructor(secret: number) {
    this.client = new TestClient(game, secret);
  }

  comeBack(room: Rig<Mover>): void {
    if (this.client.welcomes.length > 0) {
      room.resume(this.client);
      return;
    }
    room.connect(this.client);
    room.send(this.client, this.client.hello());
  }

  play(room: Rig<Mover>, chance: () => number): void {
    const { client } = this;
    const { inputSession, consumed } = client.welcome;
    if (client.welcomes.length > this.#welcomes) {
      const before = client.welcomes[this.#welcomes - 1]?.inputSession ?? inputSession;
      this.#welcomes = client.welcomes.length;
      this.#carried = consumed;
      if (before !== inputSession) {
        this.#queue.clear();
        client.nextSeq = 1;
      }
    }
    const credit =
      client.snapshot.inputSession === inputSession ? client.snapshot.credit : client.welcome.credit;
    const count = Math.min(credit - client.nextSeq + 1, Math.floor(chance() * 6));
    for (let i = 0; i < count; i++) {
      this.#queue.set(client.nextSeq++, { step: chance() < 0.5, boom: chance() < 0.01 });
    }
    const commands: Partial<CommandOf<Mover>>[] = [];
    for (let seq = this.#carried + 1; seq < client.nextSeq; seq++) commands.push(this.#queue.get(seq) ?? {});
    room.send(client, client.input(commands, { from: this.#carried + 1 }));
    this.#carried = client.nextSeq - 1;
  }
}

describe("a room among clients, crashes and disks at random", () => {
  it.each(Array.from({ length: 12 }, (_, i) => i + 1))(
    "[I4][D1][D3][T5] executes each durable command once and keeps its books, seed %i",
    (seed) => {
      const chance = dice(seed);
      const store = new WatchedStore(chance);
      const room = new Rig(game, { hooks, store, seed });
      const players = [1, 2, 3, 4].map((secret) => new Player(secret));
      for (let i = 0; i < 400; i++) {
        const player = players[Math.floor(chance() * players.length)] as Player;
        const event = chance();
        if (!room.isConnected(player.client)) player.comeBack(room);
        else if (event < 0.04) room.drop(player.client);
        else if (event < 0.06) room.crash();
        else if (event < 0.7 && player.client.snapshots.length > 0) player.play(room, chance);
        room.alarms = chance() > 0.1;
        room.pass(Math.floor(chance() * 60));
        if (room.core.running) expect(store.alarmMs()).toBeDefined();
        for (const { client } of players) expect(client.closed).toBeUndefined();
      }
      room.alarms = true;
      room.windows(60);
      for (const { owner, place } of room.core.world.all("player")) {
        expect(place.x).toBe(store.walked.get(owner) ?? 0);
      }
      expect([...store.walked.values()].reduce((sum, steps) => sum + steps, 0)).toBeGreaterThan(100);
      expect(room.core.stats().state).toBe("running");
    },
  );
});
