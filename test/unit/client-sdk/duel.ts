import { DeliveryQueue } from "../../../client-sdk/delivery-queue.ts";
import { Prediction } from "../../../client-sdk/prediction.ts";
import type { ExactRow } from "../../../protocol/index.ts";
import {
  CELL_EPOCH,
  CELL_ID,
  CELL_OWNER,
  CELL_PRESENCE,
  type CommandOf,
  type Game,
  type GameShape,
  HEADER_CELLS,
  packCommand,
  quantiseCommand,
  RoomWorld,
  type SeatId,
} from "../../../sim/index.ts";
import { field, line } from "./games.ts";

export const SEAT = 3 as SeatId;

/** Controls that are set; the others are neutral. */
export type Controls = { readonly [name: string]: number | boolean };

/** A room and the prediction of one of its seats, side by side, without anything between them. */
class Duel<S extends GameShape> {
  readonly room: RoomWorld<S>;
  readonly prediction: Prediction<S>;
  readonly queue = new DeliveryQueue();
  consumed: number;
  readonly faults: unknown[] = [];
  readonly #game: Game<S>;

  constructor(game: Game<S>, consumed: number, tick: number) {
    this.#game = game;
    this.room = new RoomWorld(game, 1);
    this.room.openSeatStream(SEAT);
    this.prediction = new Prediction(game, (error) => this.faults.push(error));
    this.prediction.steer(SEAT);
    this.consumed = consumed;
    this.queue.open(consumed, consumed, consumed + 128);
    while (this.room.tick < tick) this.room.step(new Map());
  }

  /** The client makes and predicts a command. */
  press(controls: Controls): void {
    const bytes = packCommand(this.#game.schema, controls);
    this.prediction.step(this.queue.put(bytes, this.#command(controls)));
  }

  /** The room runs a tick, with the client's next command or without one. */
  run(controls?: Controls): void {
    if (controls) this.consumed++;
    this.room.step(new Map(controls ? [[SEAT, this.#command(controls)]] : []));
  }

  /** The client hears of the room's present. */
  hear(fresh = false) {
    this.queue.acknowledge(this.consumed, this.consumed, this.consumed + 128);
    return this.prediction.reconcile(
      {
        tick: this.room.tick,
        consumed: this.consumed,
        seatRandom: this.room.seatRandomState(SEAT),
        own: this.#ownRows(),
        shared: this.room.quantise(),
        fresh,
      },
      this.queue.unconsumed(),
    );
  }

  #command(controls: Controls): CommandOf<S> {
    return quantiseCommand<S>(this.#game.schema, controls as Partial<CommandOf<S>>);
  }

  #ownRows(): ExactRow[] {
    const rows: ExactRow[] = [];
    for (const id of this.room.ids()) {
      const row = this.room.rowOf(id);
      if (!row || row.cells[CELL_OWNER] !== SEAT || !this.#game.schema.archetypes[row.archetype]?.predicted)
        continue;
      rows.push({
        id: row.cells[CELL_ID] as number,
        epoch: row.cells[CELL_EPOCH] as number,
        archetype: row.archetype,
        owner: SEAT,
        presence: row.cells[CELL_PRESENCE] as number,
        cells: row.cells.slice(HEADER_CELLS),
      });
    }
    return rows;
  }
}

export function onLine(consumed: number, x: number) {
  const duel = new Duel(line, consumed, 599);
  const ref = duel.room.spawn("walker", { body: { x } }, { owner: SEAT });
  duel.run();
  const place = () => (duel.prediction.world.get(ref) as { body: { x: number } }).body.x;
  const set = (to: number) => {
    (duel.room.get(ref) as { body: { x: number } }).body.x = to;
  };
  duel.hear(true);
  return { duel, place, set, ref };
}

export function onField() {
  const duel = new Duel(field, 0, 10);
  const ref = duel.room.spawn("player", { place: { x: 3 } }, { owner: SEAT });
  duel.room.spawn("lift");
  duel.room.spawn("spark", { place: { x: 9 } });
  duel.run();
  const own = () => duel.prediction.world.get(ref);
  const real = () => duel.room.get(ref);
  duel.hear(true);
  return { duel, own, real, ref };
}
