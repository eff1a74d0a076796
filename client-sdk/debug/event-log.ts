/** What a line is about; the overlay can hide each of them. */
export const LOG_KINDS = ["link", "correction", "receipt", "effect", "fault"] as const;
export type LogKind = (typeof LOG_KINDS)[number];

export interface LogLine {
  readonly atMs: number;
  readonly kind: LogKind;
  readonly text: string;
}

/** Lines that are kept: more than anybody scrolls through. */
const KEPT = 200;

/** What happened lately, the newest first. While it is paused nothing is added, so that a line can be read. */
export class EventLog {
  #lines: readonly LogLine[] = [];
  readonly #hidden = new Set<LogKind>();
  paused = false;

  add(kind: LogKind, text: string, atMs: number): void {
    if (this.paused) return;
    this.#lines = [{ kind, text, atMs }, ...this.#lines].slice(0, KEPT);
  }

  toggle(kind: LogKind): void {
    if (!this.#hidden.delete(kind)) this.#hidden.add(kind);
  }

  shows(kind: LogKind): boolean {
    return !this.#hidden.has(kind);
  }

  get lines(): readonly LogLine[] {
    return this.#lines.filter(({ kind }) => this.shows(kind));
  }
}
