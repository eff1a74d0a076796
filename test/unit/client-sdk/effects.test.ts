import { describe, expect, it } from "vitest";
import { EffectBook } from "../../../client-sdk/effect-book.ts";
import { hit, late, receipt, shot } from "./gunners.ts";

const SESSION = 1;

function setUp(mutedSeq = 0) {
  const log: string[] = [];
  const book = new EffectBook({ nameOf: () => "fire", freshTicks: 15, later: (callback) => callback() });
  book.on("muzzle", {
    play: ({ seq, data }) => log.push(`play ${seq} ${data}`),
    accept: ({ seq }) => log.push(`accept ${seq}`),
    cancel: ({ seq, receipt: told }) => log.push(`cancel ${seq}${told ? ` ${told.status}` : ""}`),
    end: ({ seq, receipt: told, data }) => log.push(`end ${seq} ${told?.status} ${data}`),
  });
  book.begin(SESSION, mutedSeq);
  const run = (seq: number, effects: unknown[], replaying = false) => {
    book.running(seq);
    for (const data of effects) book.asked(shot(seq), "muzzle", data, 583 + seq, replaying);
  };
  /** Replays commands; each asks for the effects that are named. */
  const replay = (commands: Record<number, unknown[]>) => {
    const seqs = Object.keys(commands).map(Number);
    book.replayBegins();
    for (const seq of seqs) run(seq, commands[seq] ?? [], true);
    book.replayed(Math.min(...seqs), Math.max(...seqs));
  };
  return { book, log, run, replay };
}

describe("effects", () => {
  it("[P8] play in the first simulation; replays only update them", () => {
    const { log, run, replay, book } = setUp();
    run(17, ["a"]);
    replay({ 17: ["b"] });
    replay({ 17: ["c"] });
    expect(log).toEqual(["play 17 a"]);
    book.answer(hit());
    expect(log).toEqual(["play 17 a", "accept 17", "end 17 settled c"]);
  });

  it("[P8] of every name are told to who listens to all of them", () => {
    const { book, run } = setUp();
    const all: string[] = [];
    const off = book.on("*", { play: ({ name, seq }) => all.push(`${name} ${seq}`) });
    run(17, ["a"]);
    book.asked(shot(17), "smoke", "b", 600, false);
    off();
    run(18, ["a"]);
    expect(all).toEqual(["muzzle 17", "smoke 17"]);
  });

  it("[P8] of one name in one action are told apart", () => {
    const { log, run, replay } = setUp();
    run(17, ["left", "right"]);
    replay({ 17: ["left", "right"] });
    replay({ 17: ["left"] });
    expect(log).toEqual(["play 17 left", "play 17 right", "cancel 17"]);
  });

  it("[P8] that first appear in a replay play if they are fresh, and never if they aren't", () => {
    const { log, run, replay } = setUp();
    for (let seq = 17; seq <= 40; seq++) run(seq, []);
    replay({ 20: ["old"], 24: ["old"], 25: ["fresh"], 40: ["fresh"] });
    replay({ 20: ["old"], 24: ["old"], 25: ["fresh"], 40: ["fresh"] });
    expect(log).toEqual(["play 25 fresh", "play 40 fresh"]);
  });

  it("[P8] that vanish in a replay before admission are cancelled, and play again if they come back", () => {
    const { log, run, replay } = setUp();
    run(17, ["a"]);
    replay({ 17: [], 18: [] });
    replay({ 17: [], 18: [] });
    replay({ 17: ["b"] });
    expect(log).toEqual(["play 17 a", "cancel 17", "play 17 b"]);
  });

  it("[P8] [A5] that vanish after admission stay: the room has the last word", () => {
    const { book, log, run, replay } = setUp();
    run(17, ["a"]);
    book.answer(receipt());
    replay({ 17: [] });
    expect(log).toEqual(["play 17 a", "accept 17"]);
  });

  it("[P8] aren't cancelled by a replay that their command is no longer part of", () => {
    const { log, run, replay } = setUp();
    run(17, ["a"]);
    replay({ 18: [] });
    expect(log).toEqual(["play 17 a"]);
  });

  it("[P8] are cancelled by a rejection, and not played by a replay after it", () => {
    const { book, log, run, replay } = setUp();
    run(17, ["a"]);
    book.answer(receipt({ status: "rejected", reason: "cooldown" }));
    replay({ 17: ["a"] });
    expect(log).toEqual(["play 17 a", "cancel 17 rejected"]);
    // Nor where prediction first agreed with the room.
    run(18, []);
    book.answer(receipt({ seq: 18, status: "rejected", reason: "cooldown" }));
    replay({ 18: ["b"] });
    expect(log.length).toBe(2);
  });

  it.each([
    ["a hit", hit(), "settled"],
    ["a time-out", late(), "timedOut"],
  ])("[P8] end with %s and are never taken back by it", (_, final, status) => {
    const { book, log, run } = setUp();
    run(17, ["a"]);
    book.answer(receipt());
    book.answer(final);
    expect(log).toEqual(["play 17 a", "accept 17", `end 17 ${status} a`]);
  });

  it("[P8] begin accepted when the room had answered before prediction came to it", () => {
    const { book, log, run, replay } = setUp();
    run(17, []);
    book.answer(receipt());
    replay({ 17: ["a"] });
    expect(log).toEqual(["play 17 a", "accept 17"]);
  });

  it("[P8] [S3] of commands from before a reload aren't played again", () => {
    const { log, run, replay } = setUp(18);
    replay({ 17: ["a"], 18: ["b"] });
    run(19, ["c"]);
    expect(log).toEqual(["play 19 c"]);
  });

  it("[S5] of void commands are cancelled, those that the room answered aren't", () => {
    const { book, log, run } = setUp();
    run(17, ["a"]);
    run(18, ["b"]);
    book.answer(receipt());
    book.begin(2);
    for (const seq of [17, 18]) book.void({ session: SESSION, seq, slot: 0 });
    expect(log).toEqual(["play 17 a", "play 18 b", "accept 17", "cancel 18"]);
    book.forgetBefore(1);
    book.answer(hit());
    expect(log.at(-1)).toBe("end 17 settled a");
  });

  it("[P8] keep their identity after their command has left the queue", () => {
    const { book, log, run, replay } = setUp();
    run(17, ["a"]);
    book.forgetBefore(18);
    replay({ 18: [] });
    book.answer(hit());
    book.forgetBefore(18);
    expect(log).toEqual(["play 17 a", "accept 17", "end 17 settled a"]);
  });
});
