import { type ActionHandle, join, type RoomClient } from "../../../client-sdk/index.ts";
import { type Arena, arena } from "../../../demo/game.ts";
import { KIOSK } from "../../../demo/level.ts";
import { nextStep } from "../../../demo/pathways.ts";
import { randomFor } from "../../harness/index.ts";

const FRAME_MS = 16;

/** A player without a page who walks to the kiosk, and fires and buys there, 60 frames a second, until told to rest. */
export class Gunner {
  readonly client: RoomClient<Arena>;
  readonly handles: ActionHandle<Arena>[] = [];
  readonly problems: unknown[] = [];
  readonly #random: () => number;
  readonly #timer: NodeJS.Timeout;
  #resting = false;
  #frames = 0;

  private constructor(client: RoomClient<Arena>, seed: number) {
    this.client = client;
    this.#random = randomFor(seed, "gunner");
    client.on("fault", ({ error }) => this.problems.push(error));
    client.on("closed", ({ code, reason }) => this.problems.push(`closed ${code} ${reason}`));
    this.#timer = setInterval(() => this.#frame(), FRAME_MS);
  }

  static async join(url: string, room: string, seed: number): Promise<Gunner> {
    return new Gunner(await join(arena, { url, room, name: `Gunner ${seed}` }), seed);
  }

  /** Fires and buys no more, and stands still. */
  rest(): void {
    this.#resting = true;
    this.client.input.set({ moveX: 0, moveY: 0 });
  }

  /** Lets the process end: the seat stays in the room. */
  stop(): void {
    clearInterval(this.#timer);
  }

  #frame(): void {
    this.client.frame(performance.now());
    const own = this.client.view.own;
    if (this.#resting || !own) return;
    this.#frames++;
    const next = nextStep(own.pose, KIOSK);
    const [x, y] = [next.x - own.pose.x, next.y - own.pose.y];
    const metres = Math.hypot(x, y);
    const pace = Math.min(1, metres);
    this.client.input.set(
      metres < 0.1 ? { moveX: 0, moveY: 0 } : { moveX: (x / metres) * pace, moveY: (y / metres) * pace },
    );
    if (this.#frames % 15 === 0)
      this.handles.push(this.client.actions.fire({ aim: this.#random() * 6.28, live: false }));
    if (this.#frames % 90 === 0) this.handles.push(this.client.actions.buy());
  }
}
