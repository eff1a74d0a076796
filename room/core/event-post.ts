import { encodeServerFrame, eventsFrame } from "../../protocol/index.ts";
import type { EmittedEvent } from "../../sim/index.ts";

const EVERYBODY = 0;

/** What happened in a window, encoded once for everybody, and once for each seat that something is told alone [R9]. */
export class EventPost {
  readonly #frames = new Map<number, Uint8Array>();
  /** Events that didn't fit. */
  readonly dropped: number = 0;

  constructor(events: readonly EmittedEvent[], incarnation: number) {
    const audiences = new Map<number, EmittedEvent[]>();
    for (const event of events) {
      const heard = audiences.get(event.only);
      if (heard) heard.push(event);
      else audiences.set(event.only, [event]);
    }
    for (const [only, heard] of audiences) {
      const { frame, dropped } = eventsFrame(incarnation, heard);
      this.dropped += dropped;
      if (frame) this.#frames.set(only, encodeServerFrame(frame));
    }
  }

  /** What a seat hears of. */
  framesFor(seat: number): Uint8Array[] {
    return [EVERYBODY, seat].flatMap((audience) => this.#frames.get(audience) ?? []);
  }
}
