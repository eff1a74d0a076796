import type { ActionReceipt, ClientCoreOptions, ClientEvents, Effect } from "../../../client-sdk/index.ts";
import { predictedAfter } from "../../../client-sdk/predicted-state.ts";
import type { BaselineFrame, Receipt, WelcomeFrame } from "../../../protocol/index.ts";
import { type Range, range } from "./gunners.ts";
import { type Said, ScriptedRoom, SEAT } from "./scripted-room.ts";

const WALKER = 1;
const TICK_MS = 1000 / 60;

/** What the page has seen, in order. */
export interface Log {
  readonly receipts: ActionReceipt<Range, "fire">[];
  /** `play 17 muzzle` and so on. */
  readonly effects: string[];
  readonly voids: ClientEvents["void"][];
  readonly faults: unknown[];
}

/** A client at the shooting range, whose room says what the test tells it to say. */
export class RangeRoom extends ScriptedRoom<Range> {
  readonly log: Log = { receipts: [], effects: [], voids: [], faults: [] };
  nowMs = 0;

  constructor(options: Partial<ClientCoreOptions<Range>> = {}) {
    super(range, options);
    const { client, log } = this;
    client.receipts.on("fire", (receipt) => log.receipts.push(receipt));
    client.on("void", (event) => log.voids.push(event));
    client.on("fault", ({ error }) => log.faults.push(error));
    for (const name of ["muzzle", "shell"]) {
      const note = (what: string) => (effect: Effect<Range>) => {
        const data = name === "shell" ? ` ${effect.data}` : "";
        log.effects.push(`${what} ${effect.seq} ${name}${data}`);
      };
      client.effects.on(name, {
        play: note("play"),
        accept: note("accept"),
        cancel: note("cancel"),
        end: note("end"),
      });
    }
  }

  /** What became of the muzzle flashes, without the shells. */
  get muzzles(): string[] {
    return this.log.effects.filter((line) => line.endsWith("muzzle"));
  }

  put(x: number, ammo = 9): void {
    const cells = new Uint32Array(new Float32Array([x, 0]).buffer);
    cells[1] = ammo;
    this.world.put(WALKER, 1, 0, SEAT, 3, cells);
  }

  /** Joined, with this many commands consumed at tick 600 + them - 17, and the walker at 8. */
  join(consumed = 16, more: Partial<WelcomeFrame> = {}): void {
    this.put(8);
    this.client.opened(this.nowMs);
    const before = consumed - 2;
    this.welcome(this.nowMs, { consumed: before, durable: before, windowTicks: 1, tick: 597, ...more });
    const session = more.inputSession ?? 1;
    this.snap({ tick: 597, consumed: before, inputSession: session });
    // Two commands at once, so that the room's buffer doesn't begin empty.
    this.client.frame(this.nowMs);
    this.snap({ tick: 599, consumed, inputSession: session });
  }

  /** One frame of the page, one tick later, with these controls: makes one command. */
  play(controls: Partial<Record<"stride" | "back" | "leap", boolean>> = {}): void {
    this.client.input.set({ stride: false, back: false, leap: false, ...controls });
    this.nowMs += TICK_MS;
    this.client.frame(this.nowMs);
  }

  /** Lets time pass in frames. */
  pass(ms: number): void {
    for (const until = this.nowMs + ms; this.nowMs < until; ) {
      this.nowMs += TICK_MS;
      this.client.frame(this.nowMs);
    }
  }

  snap(more: Said): void {
    this.snapshot(this.nowMs, more);
  }

  receipts(...items: Receipt[]): void {
    this.say(this.nowMs, { type: "receipts", session: items[0]?.session ?? 1, items });
  }

  baseline(items: Receipt[], more: Partial<BaselineFrame> = {}): void {
    const frame = {
      requestId: 1,
      session: 1,
      requestCursor: 0,
      baselineId: 1,
      covering: 0,
      part: 1,
      parts: 1,
    };
    this.say(this.nowMs, { type: "baseline", ...frame, items, ...more });
  }

  /** The link breaks and comes back. */
  reconnect(more: Partial<WelcomeFrame>, awayMs = 0): void {
    this.client.closed(1006, "", this.nowMs);
    if (awayMs > 0) this.pass(awayMs);
    this.client.opened(this.nowMs);
    this.welcome(this.nowMs, { windowTicks: 1, ...more });
  }

  /** Where the walker stood after a command, as predicted. */
  xAfter(seq: number): number | undefined {
    const cells = predictedAfter(this.client, seq)?.rows[0]?.cells;
    return cells && new Float32Array(cells.buffer, cells.byteOffset)[0];
  }
}
