import { RowSet } from "./row-set.ts";

/** Frames kept beside the anchor: as many as the room may be asked to wait for. */
const RING_FRAMES = 128;

/** What the client predicted for one command [P2]. */
export interface PredictionFrame {
  seq: number;
  tick: number;
  /** Everything that the next step reads: own entities and externals, to the bit. */
  readonly rows: RowSet;
  /** Externals that only the room moves, as they were read before the tick. */
  readonly reads: RowSet;
  seatRandom: number;
  valid: boolean;
}

/**
 * The predicted state after each command that isn't acknowledged, and after the last acknowledged one: the
 * server's word about a command is compared with what was predicted for that command, never with the present.
 */
export class PredictionRing {
  readonly #frames: PredictionFrame[] = Array.from({ length: RING_FRAMES + 1 }, () => ({
    seq: 0,
    tick: 0,
    rows: new RowSet(),
    reads: new RowSet(),
    seatRandom: 0,
    valid: false,
  }));

  /** The frame to fill in for a command; whatever stood in its place is gone. */
  claim(seq: number, tick: number): PredictionFrame {
    const frame = this.#slot(seq);
    frame.seq = seq;
    frame.tick = tick;
    frame.valid = true;
    return frame;
  }

  find(seq: number): PredictionFrame | undefined {
    const frame = this.#slot(seq);
    return frame.valid && frame.seq === seq ? frame : undefined;
  }

  /** Forgets the frames before a command. */
  forgetBefore(seq: number): void {
    for (const frame of this.#frames) if (frame.seq < seq) frame.valid = false;
  }

  /** An entity has got another id in all frames. */
  rename(from: number, id: number, epoch: number): void {
    for (const { rows, valid } of this.#frames) if (valid) rows.rename(from, id, epoch);
  }

  clear(): void {
    for (const frame of this.#frames) frame.valid = false;
  }

  #slot(seq: number): PredictionFrame {
    return this.#frames[seq % this.#frames.length] as PredictionFrame;
  }
}
