import { decodeServerFrame, isFinal } from "../../../protocol/index.ts";
import type { RoomHooks } from "../../../room/core/index.ts";
import {
  action,
  axis,
  defineGame,
  type EntityRef,
  fragment,
  int,
  json,
  num,
  type ShapeOf,
} from "../../../sim/index.ts";
import { createHarness, type Harness, type HarnessClient, type LinkOptions } from "../../harness/index.ts";

/** Metres that an arrow flies per second, and its ticks from the shot to its end if nothing stops it. */
export const SPEED = 10;
export const LIFE = 90;
/** Ticks from a shot to its final receipt. */
const FLIGHT = 6;

const pose = fragment({
  x: num({ step: 1 / 256, rate: "vx", tolerance: 0.05 }),
  vx: num({ step: 1 / 64 }),
});

/** A line along which one walks and shoots arrows, which the one who shoots predicts. */
export const arrows = defineGame({
  name: "arrows",
  version: 1,
  tickRate: 60,
  missingInput: { rule: "neutral" },
  input: { moveX: axis() },
  fragments: {
    pose,
    quiver: fragment({ shots: int({ min: 0, max: 30_000 }) }),
    flight: fragment({ left: int({ min: 0, max: LIFE }) }),
  },
  archetypes: {
    archer: { fragments: ["pose", "quiver"], predict: "owner" },
    arrow: { fragments: ["pose", "flight"], predict: "owner", snapDistance: 6 },
    /** Unknown to prediction: while there is one in the room, bows don't work. */
    rain: { fragments: ["pose"] },
  },
  actions: {
    /** `many` arrows at once; `short`: they fall down when the shot settles. */
    shoot: action({
      params: { many: axis(), short: axis() },
      capture: json<{ readonly arrows: readonly EntityRef[]; readonly lands: number }>(),
    }),
  },
  actionRules: {
    shoot: {
      admit({ entity, world, tick, params, authority, spawn }) {
        if (entity.archetype !== "archer") return { reject: "no-archer" };
        entity.quiver.shots++;
        const count = params.many > 0.5 ? 2 : 1;
        const shot = Array.from({ length: count }, (_, i) =>
          spawn("arrow", { pose: { x: entity.pose.x + 1 + i, vx: SPEED }, flight: { left: LIFE } }),
        );
        if (authority && [...world.all("rain")].length > 0) return { reject: "wet" };
        return { admit: { arrows: shot, lands: tick + FLIGHT } };
      },
      settle({ tick, capture, params, world }) {
        if (tick < capture.lands) return undefined;
        if (params.short > 0.5) for (const ref of capture.arrows) world.despawn(ref);
        return null;
      },
    },
  },
  systems: {
    physics: [
      function walk({ driven, dt }) {
        for (const { entity, command } of driven("archer")) {
          entity.pose.vx = command.moveX * 4;
          entity.pose.x += entity.pose.vx * dt;
        }
      },
      function fly({ world, dt }) {
        for (const arrow of world.all("arrow")) {
          arrow.pose.x += arrow.pose.vx * dt;
          arrow.flight.left--;
          if (arrow.flight.left <= 0) world.despawn(arrow);
        }
      },
    ],
  },
});
export type Arrows = ShapeOf<typeof arrows>;

export const arrowHooks: RoomHooks<Arrows> = {
  onJoin(seat) {
    seat.spawn("archer", { pose: { x: seat.id } });
  },
};

export const EVENTS = ["snapshot", "admitted", "final", "reconnect"] as const;
export type Event = (typeof EVENTS)[number];

export interface Drawn {
  readonly key: string;
  readonly id: number;
  readonly x: number;
}

/** A player who shoots, from whom the room's answers are kept until they are let through, and all that is drawn. */
export class Archer {
  readonly harness: Harness<Arrows>;
  readonly client: HarnessClient<Arrows>;
  readonly frames: Drawn[][] = [];
  readonly shot: number;
  readonly #blocked = new Set<Event>(["snapshot", "admitted", "final"]);

  constructor(shot: number, link: LinkOptions = { latencyMs: 40 }) {
    this.shot = shot;
    this.harness = createHarness<Arrows>({
      game: arrows,
      hooks: arrowHooks,
      windowTicks: 1,
      link,
      room: { sessions: { firstSeq: shot - 40 } },
    });
    this.client = this.harness.client(0);
    this.harness.untilJoined();
  }

  /** Lets time pass, frame by frame. */
  pass(ms: number): void {
    for (let left = ms; left > 0; left -= 1000 / 60) {
      this.harness.advance(1000 / 60);
      this.frames.push(
        [...this.client.view.all("arrow")].map(({ key, id, pose }) => ({ key: String(key), id, x: pose.x })),
      );
    }
  }

  /** Makes the command that shoots, and keeps back what the room says to it. */
  shoot(params: { many?: number; short?: number } = {}): void {
    const { client, harness, shot } = this;
    harness.until(() => client.newestSeq >= shot - 1, { what: "the command before the shot" });
    client.down.hold((bytes) => this.#isBlocked(bytes));
    client.actions.shoot({ many: 0, short: 0, ...params });
    while (client.newestSeq < shot) this.pass(17);
    this.frames.splice(0, this.frames.length - 1);
  }

  let(event: Event, ms = 70): void {
    if (event === "reconnect") {
      this.harness.dropConnection(this.client);
      while (this.client.status !== "joined") this.pass(17);
    } else {
      this.#blocked.delete(event);
      this.client.down.hold((bytes) => this.#isBlocked(bytes));
    }
    this.pass(ms);
  }

  /** Keys of all arrows that were ever drawn. */
  get keys(): string[] {
    return [...new Set(this.frames.flat().map(({ key }) => key))];
  }

  /** Frames in which an arrow was drawn, in order. */
  of(key: string): Drawn[] {
    return this.frames.flatMap((frame) => frame.filter((one) => one.key === key));
  }

  #isBlocked(bytes: Uint8Array): boolean {
    const frame = decodeServerFrame(bytes);
    if (frame.type === "snapshot") return this.#blocked.has("snapshot") && frame.consumed >= this.shot;
    if (frame.type !== "receipts" && frame.type !== "baseline") return false;
    return frame.items.some((item) => {
      if (item.status === "rejected") return this.#blocked.has("admitted");
      return this.#blocked.has(isFinal(item) ? "final" : "admitted");
    });
  }
}
