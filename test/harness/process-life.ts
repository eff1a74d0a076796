/**
 * Where a room's process can end: around everything that it does to the outside, and inside a tick. `in-tick` is
 * wherever the game calls `harness.boundary()`.
 */
export const BOUNDARIES = [
  "in-tick",
  "before-commit",
  "after-commit",
  "before-alarm",
  "after-alarm",
  "before-send",
  "after-send",
  "before-call",
  "after-call",
] as const;
export type Boundary = (typeof BOUNDARIES)[number];

/** Thrown into a room whose process has ended: nothing that it does from here on reaches anything. */
class ProcessEnded extends Error {
  constructor(boundary: string) {
    super(`the process has ended (crashRoom ${boundary})`);
  }
}

interface Doom {
  readonly at: Boundary | undefined;
  left: number;
}

/**
 * One life of a room's process. Everything through which a room reaches the outside asks first whether it still
 * lives, so that a crash in the middle of an event is one: what was done is done, the rest never happens.
 */
export class ProcessLife {
  #alive = true;
  #doom: Doom | undefined;
  #passed = 0;

  get alive(): boolean {
    return this.#alive;
  }

  /** Boundaries that were passed in this life. */
  get passed(): number {
    return this.#passed;
  }

  /** Ends it when the next boundary of a kind is reached, or of any kind, after passing `skip` of them. */
  doom(at: Boundary | undefined, skip = 0): void {
    this.#doom = { at, left: skip };
  }

  /** @throws ProcessEnded when this is where the process ends, or when it has ended before */
  pass(boundary: Boundary): void {
    if (!this.#alive) throw new ProcessEnded(boundary);
    this.#passed++;
    const doom = this.#doom;
    if (!doom || (doom.at !== undefined && doom.at !== boundary)) return;
    if (doom.left-- > 0) return;
    this.#alive = false;
    throw new ProcessEnded(boundary);
  }

  end(): void {
    this.#alive = false;
  }
}
