import { decodeServerFrame, isFinal } from "../../../protocol/index.ts";
import type { RoomHooks } from "../../../room/core/index.ts";
import {
  action,
  axis,
  defineGame,
  fragment,
  int,
  json,
  num,
  press,
  type ShapeOf,
} from "../../../sim/index.ts";
import { createHarness, type Harness, type HarnessClient } from "../../harness/index.ts";

/** Ticks from a shot to its hit. */
export const FLIGHT = 4;
/** Ticks from a call to its deadline. */
export const DEADLINE = 6;

/** A line along which one walks, shoots with a fixed flight, asks somebody outside, and drops mines. */
export const shots = defineGame({
  name: "shots",
  version: 1,
  tickRate: 60,
  missingInput: { rule: "neutral" },
  input: { steps: axis(), mine: press() },
  fragments: {
    place: fragment({ x: num({ step: 1 / 1024, tolerance: 0.05 }), hits: int({ min: 0, max: 100 }) }),
  },
  archetypes: {
    walker: { fragments: ["place"], predict: "owner", snapDistance: 1000 },
    mine: { fragments: ["place"] },
  },
  actions: {
    fire: action({ capture: json<{ readonly lands: number }>(), result: json<{ readonly hit: boolean }>() }),
    ask: action({ result: json<{ readonly said: string }>(), call: true, deadlineTicks: DEADLINE }),
  },
  actionRules: {
    fire: {
      admit({ tick, effect }) {
        effect("muzzle");
        return { admit: { lands: tick + FLIGHT } };
      },
      settle({ tick, capture, entity }) {
        if (tick < capture.lands) return undefined;
        if (entity?.archetype === "walker") entity.place.hits++;
        return { hit: true };
      },
    },
    ask: {
      admit({ effect }) {
        effect("muzzle");
        return { admit: null };
      },
      settle({ answer }) {
        return answer === undefined ? undefined : { said: String(answer) };
      },
    },
  },
  systems: {
    input: [
      ({ driven }) => {
        for (const { entity, command } of driven("walker")) entity.place.x += Math.round(command.steps * 127);
      },
    ],
    gameplay: [
      ({ driven, world }) => {
        for (const { entity, command } of driven("walker")) {
          if (command.mine) world.spawn("mine", { place: { x: entity.place.x } });
        }
      },
    ],
  },
});

export type Shots = ShapeOf<typeof shots>;

export const shotsHooks: RoomHooks<Shots> = {
  onJoin(seat) {
    seat.spawn("walker", {});
  },
};

/** The messages whose order of arrival matters, and the break of the connection between them. */
export const EVENTS = ["ack", "pending", "final", "reconnect"] as const;
export type Event = (typeof EVENTS)[number];

/** All orders of some things. */
export function ordersOf<T>(things: readonly T[]): T[][] {
  if (things.length <= 1) return [[...things]];
  return things.flatMap((first, at) =>
    ordersOf([...things.slice(0, at), ...things.slice(at + 1)]).map((rest) => [first, ...rest]),
  );
}

/** A player whose command `shot` carries an action, and from whom the room's answers are kept until they are let through. */
export class Shooter {
  readonly harness: Harness<Shots>;
  readonly client: HarnessClient<Shots>;
  readonly effects: string[] = [];
  readonly receipts: string[] = [];
  readonly shot: number;
  /** What may not arrive yet. */
  readonly #blocked = new Set<Event>(["ack", "pending", "final"]);

  /** @param shot the number of the command */
  constructor(shot: number) {
    this.shot = shot;
    this.harness = createHarness<Shots>({
      game: shots,
      hooks: shotsHooks,
      windowTicks: 1,
      seed: 7,
      room: { sessions: { firstSeq: shot - 16 } },
    });
    this.client = this.harness.client(0);
    this.client.inEachPage(({ effects, receipts }) => {
      const note = (what: string) => (effect: { seq: number }) =>
        this.effects.push(`${what} ${effect.seq - shot}`);
      effects.on("muzzle", {
        play: note("play"),
        cancel: note("cancel"),
        accept: note("accept"),
        end: note("end"),
      });
      for (const name of ["fire", "ask"] as const) {
        receipts.on(name, ({ status, seq }) => this.receipts.push(`${status} ${seq - shot}`));
      }
    });
    this.harness.untilJoined();
  }

  /** Walks up to the command before the shot, and keeps back the answers to what follows. */
  approach(): void {
    this.harness.until(() => this.client.newestSeq >= this.shot - 1, { what: "the command before the shot" });
    this.client.down.hold((bytes) => this.#isBlocked(bytes));
  }

  /** Makes the command with the action, and keeps those after it from reaching the room. */
  shoot(name: "fire" | "ask"): void {
    const { client, harness } = this;
    client.actions[name]();
    harness.until(() => client.newestSeq >= this.shot, { what: "the shot" });
    client.input.set({ steps: 1 / 127 });
    harness.advance(0);
    // Nothing more goes up than signs of life and requests: the room answers the shot, and replays need the rest.
    harness.until(() => harness.room.lookup(this.session, this.shot) !== undefined, {
      what: "the shot's admission",
    });
  }

  get session(): number {
    return this.harness.store.ledgerRows.flatMap(({ sessions }) => sessions).at(-1)?.inputSession ?? 0;
  }

  let(event: Event): void {
    if (event === "reconnect") {
      this.harness.dropConnection(this.client);
      this.harness.until(() => this.client.status === "joined", { what: "the reconnect" });
    } else {
      this.#blocked.delete(event);
      this.client.down.hold((bytes) => this.#isBlocked(bytes));
    }
    this.harness.advance(100);
  }

  /** What a message brings: a receipt frame with both is only let through once both may arrive. */
  #isBlocked(bytes: Uint8Array): boolean {
    const frame = decodeServerFrame(bytes);
    if (frame.type === "snapshot") return this.#blocked.has("ack") && frame.consumed >= this.shot;
    if (frame.type !== "receipts" && frame.type !== "baseline") return false;
    return frame.items.some((item) => this.#blocked.has(isFinal(item) ? "final" : "pending"));
  }
}
