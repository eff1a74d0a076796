import type { EventIdentity } from "../sim/index.ts";

/** Ids that the room never gives: the highest 1,024. */
const IDS = 1024;
const FIRST_ID = 0x10000 - IDS;
/** *Default*: as long may a spawn be on the screen without a word of the room about it. */
const EXPIRY_MS = 2000;

interface LocalSpawn {
  readonly id: number;
  readonly epoch: number;
  readonly seq: number;
  readonly slot: number;
  ageMs: number;
}

/** Names of the entities that prediction has spawned for actions, until the room tells its own [P9]. */
export class LocalSpawns {
  /** By event, so that a replay finds the ones of the first simulation. Of one session at a time. */
  readonly #known = new Map<string, LocalSpawn>();
  #made = 0;

  /** What an event's entity is called here; undefined once it has waited for the room for too long. */
  of({ session, seq, slot, nth }: EventIdentity): LocalSpawn | undefined {
    const key = `${session}/${seq}/${slot}/${nth}`;
    let spawn = this.#known.get(key);
    if (!spawn) {
      // Two entities under one id would be one: a game that spawns so many waits for the room to name some.
      if (this.#known.size >= IDS) return undefined;
      // Numbers go round, and every round is another epoch, so that no two lives look like one.
      const turn = this.#made++;
      spawn = { id: FIRST_ID + (turn % IDS), epoch: 1 + Math.floor(turn / IDS), seq, slot, ageMs: 0 };
      this.#known.set(key, spawn);
    }
    return spawn.ageMs > EXPIRY_MS ? undefined : spawn;
  }

  /** Lets time pass; gives the ids whose time is over now. */
  age(elapsedMs: number): number[] {
    const over: number[] = [];
    for (const spawn of this.#known.values()) {
      const was = spawn.ageMs;
      spawn.ageMs += elapsedMs;
      if (was <= EXPIRY_MS && spawn.ageMs > EXPIRY_MS) over.push(spawn.id);
    }
    return over;
  }

  /** What an action is known to have spawned here. */
  idsOf({ seq, slot }: { readonly seq: number; readonly slot: number }): number[] {
    return [...this.#known.values()]
      .filter((one) => one.seq === seq && one.slot === slot)
      .map(({ id }) => id);
  }

  /** The room has answered the commands up to this one: what it spawned for them it has told, under its own ids. */
  forgetUpTo(consumed: number): void {
    for (const [key, { seq }] of this.#known) if (seq <= consumed) this.#known.delete(key);
  }

  clear(): void {
    this.#known.clear();
  }
}
