import { type ClientFrame, encodeClientFrame, LIMITS, type ResendFrame } from "../protocol/index.ts";
import type { CompiledSchema } from "../sim/index.ts";
import { ServerClock } from "./clock.ts";
import type { DeliveryQueue, QueuedCommand } from "./delivery-queue.ts";

/** Without commands, the room still hears from us this often: it measures nothing for a silent client. */
const KEEP_ALIVE_MS = 250;

/** What carries frames to the room. It may drop everything it is given: the queue keeps what matters. */
export interface Link {
  send(bytes: Uint8Array): void;
}

export type Transport = "ordered" | "lossy";

/** What goes along with the commands. */
export interface Company {
  /** Frames to send with the next batch. */
  riders(): readonly ClientFrame[];
  /** These commands are on their way. */
  carried(commands: readonly QueuedCommand[]): void;
}

/** What goes to the room, and when: batches of commands, 20 a second at a window of 3 ticks. */
export class Uplink {
  bytesOut = 0;
  readonly #schema: CompiledSchema;
  readonly #link: Link;
  readonly #queue: DeliveryQueue;
  readonly #transport: Transport;
  readonly #company: Company | undefined;
  #ticksUnsent = 0;
  #lastSentMs = Number.NEGATIVE_INFINITY;

  constructor(options: {
    schema: CompiledSchema;
    link: Link;
    queue: DeliveryQueue;
    transport: Transport;
    company?: Company;
  }) {
    this.#schema = options.schema;
    this.#link = options.link;
    this.#queue = options.queue;
    this.#transport = options.transport;
    this.#company = options.company;
  }

  send(frame: ClientFrame): void {
    const bytes = encodeClientFrame(frame, this.#schema);
    this.bytesOut += bytes.length;
    this.#link.send(bytes);
  }

  /** A command was made. */
  ticked(): void {
    this.#ticksUnsent++;
  }

  /** Sends if a window's worth of commands has come together, or nothing was sent for long. */
  pump(windowTicks: number, inputSession: number, ackTick: number, nowMs: number): void {
    if (this.#ticksUnsent >= windowTicks) {
      // The remainder counts towards the next batch, so that 30 fps give 20 frames a second and not 15.
      this.#ticksUnsent %= windowTicks;
      this.flush(inputSession, ackTick, nowMs);
    } else if (nowMs - this.#lastSentMs >= KEEP_ALIVE_MS) {
      this.flush(inputSession, ackTick, nowMs);
    }
  }

  /** Sends what this connection hasn't carried, or an empty batch as a sign of life. */
  flush(inputSession: number, ackTick: number, nowMs: number): void {
    this.#lastSentMs = nowMs;
    const sentAtMs = ServerClock.stamp(nowMs);
    const max = LIMITS.commandsPerFrame;
    let commands = this.#queue.take(max, this.#transport);
    do {
      this.send({ type: "input", inputSession, sentAtMs, ackTick, commands });
      this.#company?.carried(commands);
      // A lossy link would be given the same ones again and again.
      commands = this.#transport === "ordered" ? this.#queue.take(max, "ordered") : [];
    } while (commands.length > 0);
    for (const frame of this.#company?.riders() ?? []) this.send(frame);
  }

  /** Sends commands once more that the room misses [I9]. */
  resend(
    { session: inputSession, from, to }: Omit<ResendFrame, "type">,
    ackTick: number,
    nowMs: number,
  ): void {
    const commands = this.#queue.range(from, to);
    if (commands.length === 0) return;
    this.send({ type: "input", inputSession, sentAtMs: ServerClock.stamp(nowMs), ackTick, commands });
  }
}
