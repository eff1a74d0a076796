import { describe, expect, it } from "vitest";
import { EventBook } from "../../../client-sdk/event-book.ts";
import type { EventItem } from "../../../protocol/index.ts";
import { defineGame, json } from "../../../sim/index.ts";

const { schema } = defineGame({
  name: "bells",
  version: 1,
  tickRate: 60,
  input: {},
  fragments: {},
  archetypes: {},
  events: { ding: json<number>(), dong: json<number>() },
});
const LATE_TICKS = 30;

function listening() {
  const faults: unknown[] = [];
  const book = new EventBook(schema, (error) => faults.push(error));
  const heard: string[] = [];
  for (const name of ["ding", "dong"]) {
    book.on(name, ({ tick, data }) => heard.push(`${name} ${data} at ${tick}`));
  }
  book.begin(1, 0);
  const say = (incarnation: number, ...items: Partial<EventItem>[]) => {
    const all = items.map((item) => ({ tick: 0, kind: 0, except: 0, data: "1", ...item }));
    book.receive({ type: "events", incarnation, items: all }, 3);
  };
  return { book, heard, faults, say };
}

describe("a page's events", () => {
  it("[R9] are told when their tick is shown, in the order in which they happened, each once", () => {
    const { book, heard, say } = listening();
    say(1, { tick: 102, kind: 1 }, { tick: 103, data: "2" });
    say(1, { tick: 101, data: "3" }, { tick: 102, data: "4" });
    book.tell(100.9);
    expect(heard).toEqual([]);
    book.tell(102);
    expect(heard).toEqual(["ding 3 at 101", "dong 1 at 102", "ding 4 at 102"]);
    book.tell(110);
    book.tell(111);
    expect(heard.slice(3)).toEqual(["ding 2 at 103"]);
  });

  it("[R9] that come late are told at once, unless nobody would know any more what they belong to", () => {
    const { book, heard, say } = listening();
    book.tell(200);
    say(1, { tick: 200 - LATE_TICKS }, { tick: 199 - LATE_TICKS, data: "2" });
    book.tell(200);
    expect(heard).toEqual([`ding 1 at ${200 - LATE_TICKS}`]);
  });

  it("[R9] of minutes in the background aren't collected, nor told all at once", () => {
    const { book, heard, say } = listening();
    for (let tick = 0; tick < 5000; tick++) say(1, { tick });
    book.tell(5000);
    expect(heard.length).toBe(LATE_TICKS);
  });

  it("[R9] that this seat has shown by itself aren't told again", () => {
    const { book, heard, say } = listening();
    say(1, { tick: 1, except: 3 }, { tick: 1, except: 4, data: "2" });
    book.tell(1);
    expect(heard).toEqual(["ding 2 at 1"]);
  });

  it("[R9][V5] of ticks that a new incarnation runs again are neither told by the old one nor told twice", () => {
    const { book, heard, say } = listening();
    say(1, { tick: 101 }, { tick: 104 });
    book.tell(102);
    book.begin(2, 105);
    say(2, { tick: 101, data: "2" }, { tick: 103, data: "3" }, { tick: 106, data: "4" });
    // On its way since before the crash.
    say(1, { tick: 105, data: "5" });
    book.tell(110);
    expect(heard).toEqual(["ding 1 at 101", "ding 3 at 103", "ding 4 at 106"]);
  });

  it("[R9] that a new incarnation is the first to run are told though the page had run ahead to them", () => {
    const { book, heard, say } = listening();
    book.tell(108);
    book.begin(2, 105);
    say(2, { tick: 107 });
    book.tell(108);
    expect(heard).toEqual(["ding 1 at 107"]);
  });

  it("[R9] begin anew with another room of the same name", () => {
    const { book, heard, say } = listening();
    say(1, { tick: 900 });
    book.tell(901);
    book.forget();
    book.begin(1, 0);
    say(1, { tick: 5, data: "2" });
    book.tell(6);
    expect(heard).toEqual(["ding 1 at 900", "ding 2 at 5"]);
  });

  it("[R9] reach the other listeners when one throws, and kinds of a newer game reach none", () => {
    const { book, heard, faults, say } = listening();
    book.on("ding", () => {
      throw new Error("deaf");
    });
    const off = book.on("ding", () => heard.push("twice"));
    say(1, { tick: 1 }, { tick: 1, kind: 9 });
    book.tell(1);
    expect(heard).toEqual(["ding 1 at 1", "twice"]);
    expect(faults).toEqual([new Error("deaf")]);
    off();
    say(1, { tick: 2 });
    book.tell(2);
    expect(heard.length).toBe(3);
    expect(() => book.on("gong", String)).toThrow(/no event "gong"/);
  });
});
