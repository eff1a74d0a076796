import { LIMITS } from "../../protocol/index.ts";
import { Refusal } from "./refusal.ts";
import { TokenBucket } from "./token-bucket.ts";

/** How much one connection may send: frames, bytes and commands, each with a rate and a burst [X1]. */
export class Allowance {
  readonly #frames: TokenBucket;
  readonly #bytes: TokenBucket;
  readonly #commands: TokenBucket;

  constructor(nowMs: number) {
    const { framesPerSecond, bytesPerSecond, commandsPerSecond } = LIMITS;
    this.#frames = new TokenBucket({ ratePerSecond: framesPerSecond, burst: LIMITS.frameBurst }, nowMs);
    this.#bytes = new TokenBucket({ ratePerSecond: bytesPerSecond, burst: LIMITS.byteBurst }, nowMs);
    this.#commands = new TokenBucket({ ratePerSecond: commandsPerSecond, burst: LIMITS.commandBurst }, nowMs);
  }

  /**
   * A frame has come. Asked before it is decoded: a flood must not cost more than counting it.
   * @throws Refusal
   */
  frame(bytes: number, nowMs: number): void {
    if (!this.#frames.take(nowMs)) throw new Refusal("rate", { detail: "frames" });
    // One that is too large is refused as such, by whoever looks at it next.
    if (!this.#bytes.take(nowMs, Math.min(bytes, LIMITS.frameBytesIn)))
      throw new Refusal("rate", { detail: "bytes" });
  }

  /** @throws Refusal */
  commands(count: number, nowMs: number): void {
    if (!this.#commands.take(nowMs, count)) throw new Refusal("rate", { detail: "commands" });
  }

  /** Lets through what piled up while the room stood still. */
  forgive(stalledMs: number): void {
    for (const bucket of [this.#frames, this.#bytes, this.#commands]) bucket.forgive(stalledMs);
  }
}
