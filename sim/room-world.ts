import type { StepOptions } from "./admissions.ts";
import { carryStructure } from "./carry.ts";
import type { CommandOf, Game, GameShape } from "./definition.ts";
import { type EventAudience, type EventData, type EventName, Outbox } from "./events.ts";
import { hashWords } from "./hash.ts";
import type { NetId, SeatId, Tick } from "./ids.ts";
import { runGameplay, snapExternals } from "./phases.ts";
import type { QuantisedState } from "./quantised.ts";
import { nextRoomRandom, type RoomSeed, seedRoomRandom } from "./random.ts";
import { restoreWords, saveWords } from "./save.ts";
import { CELL_ID, CELL_OWNER, predictorOf } from "./schema.ts";
import { quantiseWorld } from "./snapshot.ts";
import { World } from "./world.ts";

/** The world that the room runs: whole ticks, the room's random stream, events, and all of the state as bytes. */
export class RoomWorld<S extends GameShape = GameShape> extends World<S> {
  override readonly outbox: Outbox;

  /** @param seed first state of the room's stream */
  constructor(game: Game<S>, seed: RoomSeed) {
    super(game, "server");
    this.outbox = new Outbox(game.schema.events);
    this.parts.scalars.roomRandom = seedRoomRandom(seed);
  }

  override random(): number {
    return this.isPredicting ? super.random() : nextRoomRandom(this.parts.scalars.roomRandom) / 4294967296;
  }

  override emit<N extends EventName<S>>(name: N, data: EventData<S, N>, audience: EventAudience = {}): void {
    this.outbox.put(this.tick + 1, name, data, audience);
  }

  /** Starts a seat's predicted stream from the room's. */
  openSeatStream(seat: SeatId): void {
    this.setSeatRandomState(seat, nextRoomRandom(this.parts.scalars.roomRandom));
  }

  closeSeatStream(seat: SeatId): void {
    this.parts.scalars.seatRandom.delete(seat);
  }

  /** The structural step: spawns and despawns that were asked for happen now. */
  commitStructure(): void {
    this.parts.structure.commit(false);
  }

  /**
   * Advances the room by one whole tick.
   * @param commands the command of each seat that has one, by the missing-input rule if need be
   * @throws SystemFault when the game's code throws; the world is then half a tick on: restore it
   */
  step(commands: ReadonlyMap<SeatId, CommandOf<S>>, options: StepOptions<S> = {}): void {
    const { structure, scalars, context } = this.parts;
    const tick = (this.tick + 1) as Tick;
    structure.commit(false);
    this.runPredicted(tick, commands, false, options);
    runGameplay(this, context.begin(tick, commands, false), options);
    snapExternals(this.game.schema, structure.tables);
    structure.commit(false);
    scalars.tick = tick;
  }

  /** The whole state, in the machine's byte order (little endian). */
  save(): Uint8Array {
    const words = saveWords(this.parts.structure, this.parts.scalars);
    return new Uint8Array(words.buffer, words.byteOffset, words.byteLength);
  }

  /**
   * Puts a saved state back, bit for bit. Requests that waited for a structural step, and events, are forgotten.
   * @throws RangeError when the bytes aren't a saved state of this game
   */
  restore(bytes: Uint8Array): void {
    if (bytes.byteLength % 4 !== 0) throw new RangeError("a saved world is a whole number of words");
    const words = new Uint32Array(bytes.slice().buffer);
    restoreWords(words, this.parts.structure, this.parts.scalars);
    this.outbox.cut(0);
  }

  /**
   * Takes over the state of a world of another definition of the same game, by names: ids, epochs, owners, streams and
   * the tick stay. What this definition doesn't have is left behind; what the other one didn't have gets its default.
   */
  carry<O extends GameShape>(from: RoomWorld<O>): void {
    const { structure, scalars } = from.parts;
    carryStructure(structure, this.parts.structure);
    this.parts.scalars.tick = scalars.tick;
    this.parts.scalars.roomRandom = scalars.roomRandom.slice();
    this.parts.scalars.seatRandom = new Map(scalars.seatRandom);
  }

  /** Ids of the entities that a seat's client predicts: those that it owns, and the members of its island. */
  *predictedBy(seat: number): Iterable<NetId> {
    for (const { archetype, u32, stride, rowCount } of this.parts.structure.tables) {
      if (!archetype.predicted && !archetype.islands) continue;
      for (let base = 0; base < rowCount * stride; base += stride) {
        const id = u32[base + CELL_ID] as NetId;
        const owner = u32[base + CELL_OWNER] as number;
        if (id !== 0 && predictorOf(archetype, owner, u32[base + archetype.tail] as number) === seat)
          yield id;
      }
    }
  }

  /** Hash of the whole state: equal states have equal hashes. */
  hash(): bigint {
    return hashWords(saveWords(this.parts.structure, this.parts.scalars));
  }

  /** The state as others see it, quantised, sorted by id. `into` is reused when given. */
  quantise(into?: QuantisedState): QuantisedState {
    return quantiseWorld(this.parts.structure, this.tick, into);
  }
}
