import { describe, expect, it } from "vitest";
import { ServerFrame as ServerRoot } from "../../../protocol/generated/frames.ts";
import {
  decodeServerFrame,
  type EventItem,
  encodeServerFrame,
  eventsFrame,
  LIMITS,
} from "../../../protocol/index.ts";
import { writeMessage } from "../../../protocol/message-writer.ts";
import { pack, unpack } from "../../../protocol/packing.ts";
import { reasonOf } from "./reason-of.ts";

const event = (data: string, tick = 7): EventItem => ({ tick, kind: 1, except: 0, data });
const textOf = (bytes: number) => JSON.stringify("x".repeat(bytes - 2));
const eventsOf = (count: number, data = "1") => Array.from({ length: count }, (_, i) => event(data, i));

/** Writes events as a room without our checks would. */
function forge(items: readonly unknown[], incarnation = 1): Uint8Array {
  return pack(writeMessage(ServerRoot, { type: "events", incarnation, items: items as EventItem[] }));
}

describe("a window's events", () => {
  it("[X1][R9] are dropped past the limit, the last ones, and counted", () => {
    const most = LIMITS.eventsPerWindow;
    expect(eventsFrame(1, eventsOf(most)).dropped).toBe(0);
    const { frame, dropped } = eventsFrame(1, eventsOf(most + 1));
    expect(dropped).toBe(1);
    expect(frame?.items.map(({ tick }) => tick)).toEqual(eventsOf(most).map(({ tick }) => tick));
  });

  it("[X1][R9] are each at most so long, and one that isn't takes no other with it", () => {
    const value = LIMITS.eventBytes;
    expect(eventsFrame(1, [event(textOf(value)), event("2")]).dropped).toBe(0);
    const { frame, dropped } = eventsFrame(1, [event(textOf(value + 1)), event("2")]);
    expect(dropped).toBe(1);
    expect(frame?.items.map(({ data }) => data)).toEqual(["2"]);
  });

  it("[R7][X1] fit into a frame of 16 KiB", () => {
    const value = LIMITS.partBytes;
    for (const bytes of [1, 7, 8, 9, 500, 1000, 1022]) {
      const { frame, dropped } = eventsFrame(1, eventsOf(LIMITS.eventsPerWindow, textOf(bytes + 2)));
      if (!frame) throw new Error("no frame");
      const { length } = unpack(encodeServerFrame(frame), 1 << 20);
      expect(length).toBeLessThanOrEqual(value);
      if (dropped > 0) expect(length + 16 + bytes + 2 + 8).toBeGreaterThan(value);
    }
  });

  it("[R9] make no frame when there are none", () => {
    expect(eventsFrame(1, [])).toEqual({ frame: undefined, dropped: 0 });
    expect(eventsFrame(1, [event("{")])).toEqual({ frame: undefined, dropped: 1 });
  });

  it("[W3][X1] are refused beyond the limits, of no incarnation, and when they are no JSON", () => {
    const refused = (bytes: Uint8Array) => reasonOf(() => decodeServerFrame(bytes));
    expect(decodeServerFrame(forge(eventsOf(LIMITS.eventsPerWindow)))).toMatchObject({
      type: "events",
    });
    expect(refused(forge(eventsOf(LIMITS.eventsPerWindow + 1)))).toBe("too-large");
    expect(decodeServerFrame(forge([event(textOf(LIMITS.eventBytes))]))).toMatchObject({
      type: "events",
    });
    expect(refused(forge([event(textOf(LIMITS.eventBytes + 1))]))).toBe("bad-value");
    expect(refused(forge(eventsOf(20, textOf(1000))))).toBe("too-large");
    expect(refused(forge(eventsOf(1), 0))).toBe("bad-value");
    for (const data of ["", "{", '{"__proto__":1}']) expect(refused(forge([event(data)]))).toBe("bad-value");
  });
});
