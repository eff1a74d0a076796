import { WireError } from "./errors.ts";
import type { EventItem, EventsFrame } from "./frame-types.ts";
import { jsonFault } from "./json-text.ts";
import * as LIMITS from "./limits.ts";

/** A frame without items: framing, root pointer, eight words, two pointers, the list's tag. */
const FRAME_BYTES = 8 + 8 + 8 * 8 + 2 * 8 + 8;
const ITEM_BYTES = 8 + 8;

/** A window's events for one audience, and how many of them didn't fit: those that came last, and such as nobody could read. */
export function eventsFrame(
  incarnation: number,
  events: readonly EventItem[],
): { readonly frame: EventsFrame | undefined; readonly dropped: number } {
  const items: EventItem[] = [];
  let bytes = FRAME_BYTES;
  for (const { tick, kind, except, data } of events) {
    if (items.length === LIMITS.eventsPerWindow) break;
    if (jsonFault(data, LIMITS.eventBytes) !== undefined) continue;
    const added = ITEM_BYTES + ((new TextEncoder().encode(data).length + 8) & -8);
    if (bytes + added > LIMITS.partBytes) break;
    bytes += added;
    items.push({ tick, kind, except, data });
  }
  const frame: EventsFrame | undefined =
    items.length > 0 ? { type: "events", incarnation, items } : undefined;
  return { frame, dropped: events.length - items.length };
}

export function checkedEvents(frame: EventsFrame, frameBytes: number): EventsFrame {
  if (frameBytes > LIMITS.partBytes || frame.items.length > LIMITS.eventsPerWindow) {
    throw new WireError("too-large", `${frame.items.length} events in ${frameBytes} bytes`);
  }
  if (frame.incarnation === 0) throw new WireError("bad-value", "events of no incarnation");
  for (const { data } of frame.items) {
    const fault = jsonFault(data, LIMITS.eventBytes);
    if (fault !== undefined) throw new WireError("bad-value", fault);
  }
  return frame;
}
