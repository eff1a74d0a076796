import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ServerFrame as ServerRoot } from "../../protocol/generated/frames.ts";
import { decodeClientFrame, decodeServerFrame } from "../../protocol/index.ts";
import { schema } from "../unit/protocol/samples.ts";

// A peer of the future: frames.capnp with fields and union members added at the end, as its first comment allows.
// The reference tool encodes its frames; this version reads them.

let folder = "";

/** The numbers of fields that a struct doesn't have yet, one with each call; enum members have numbers of their own. */
function nextFields(schema: string, struct: string): () => string {
  const [, body = ""] = new RegExp(`^struct ${struct} \\{(.*?)^\\}`, "ms").exec(schema) ?? [];
  let last = Math.max(...[...body.matchAll(/@(\d+) :/g)].map(([, number]) => Number(number)));
  return () => `@${++last}`;
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "newer-peer-"));
  const current = readFileSync(
    fileURLToPath(new URL("../../protocol/frames.capnp", import.meta.url)),
    "utf8",
  );
  const [client, server] = [nextFields(current, "ClientFrame"), nextFields(current, "ServerFrame")];
  const additions: [string, string][] = [
    ["leave @15 :Void;", `ping :group { at ${client()} :UInt64; why ${client()} :Text; }`],
    [
      "commands @13 :Data;",
      `view ${client()} :UInt64; extra ${client()} :List(UInt16); more ${client()} :List(RosterSeat);`,
    ],
    ["shared @17 :Data;", `more ${server()} :Data; wide ${server()} :UInt64; wider ${server()} :UInt64;`],
    ["seats @31 :List(RosterSeat);\n    }", `trade ${server()} :Text;`],
    ["left @6;", "banned @7;"],
    ["result @7 :Text;", "witness @8 :UInt64; note @9 :Text;"],
    ["timedOut @3;", "refunded @4;"],
    ["head @1 :UInt32;", "since @2 :UInt64;"],
    ["name @3 :Text;", "team @4 :UInt64; badge @5 :Text;"],
    ["bot @1;", "spectator @2;"],
  ];
  let newer = current;
  for (const [after, added] of additions) {
    // Without this the test would go on with an old schema, and prove nothing.
    expect(newer).toContain(after);
    newer = newer.replace(after, `${after} ${added}`);
  }
  writeFileSync(join(folder, "frames.capnp"), newer);
});

afterAll(() => rmSync(folder, { recursive: true }));

function write(text: string, type: "ClientFrame" | "ServerFrame"): Uint8Array {
  const args = ["encode", "--packed", join(folder, "frames.capnp"), type];
  return new Uint8Array(execFileSync("capnp", args, { input: text }));
}

describe("frames of a newer peer", () => {
  it("[W2] are read without their new fields", () => {
    const snapshot = `(snapshot = (tick = 9, incarnation = 1, creditLess = 5, shared = "ab", own = "c",
      more = "new", wide = 7, wider = 8))`;
    expect(decodeServerFrame(write(snapshot, "ServerFrame"))).toMatchObject({
      type: "snapshot",
      tick: 9,
      credit: 123,
      shared: Uint8Array.of(97, 98),
      own: Uint8Array.of(99),
    });
    const input = `(input = (inputSession = 3, sentAtMs = 4, ackTick = 5, commands = "\\x00", view = 6,
      extra = [1, 2], more = [(seat = 1, name = "x", badge = "y")]))`;
    expect(decodeClientFrame(write(input, "ClientFrame"), schema)).toMatchObject({
      inputSession: 3,
      ackTick: 5,
    });
  });

  it("[W2] are read with lists of longer structs and kinds of seats that don't exist yet", () => {
    const roster = `(roster = (seats = [(seat = 1, name = "Ada", team = 5, badge = "gold", connected = true),
      (seat = 2, kind = spectator, name = "Bo"), (seat = 3, kind = bot)]))`;
    expect(decodeServerFrame(write(roster, "ServerFrame"))).toEqual({
      type: "roster",
      seats: [
        { seat: 1, name: "Ada", kind: "player", connected: true },
        { seat: 2, name: "Bo", kind: "player", connected: false },
        { seat: 3, name: "", kind: "bot", connected: false },
      ],
    });
  });

  it("[W2] of a kind that this client doesn't know are told apart and skipped", () => {
    expect(decodeServerFrame(write('(trade = "done")', "ServerFrame"))).toEqual({
      type: "unknown",
      which: ServerRoot.members.length,
    });
  });

  it("[W2] are read with receipts, sessions and reasons that say more than this version knows", () => {
    const receipts = `(receipts = (session = 3, items = [(number = 1, seq = 5, revision = 2, status = settled,
      result = "7", witness = 9, note = "seen"), (number = 2, seq = 6, revision = 1)]))`;
    expect(decodeServerFrame(write(receipts, "ServerFrame"))).toMatchObject({
      items: [
        { number: 1, seq: 5, status: "settled", result: 7 },
        { number: 2, seq: 6, status: "admitted", result: null },
      ],
    });
    const welcome = `(welcome = (seat = 1, incarnation = 1, tickRate = 60, windowTicks = 3, inputSession = 9,
      openSessions = [(session = 4, head = 2, since = 7), (session = 5)]))`;
    expect(decodeServerFrame(write(welcome, "ServerFrame"))).toMatchObject({
      openSessions: [
        { session: 4, head: 2 },
        { session: 5, head: 0 },
      ],
    });
    const session =
      "(session = (phase = closed, session = 3, reason = banned, finalConsumed = 8, opened = 4))";
    expect(decodeServerFrame(write(session, "ServerFrame"))).toMatchObject({ reason: "other", opened: 4 });
  });

  it("[A2] are refused where a receipt's status is unknown: whether it is final can't be guessed", () => {
    const receipts =
      "(receipts = (session = 3, items = [(number = 1, seq = 5, revision = 2, status = refunded)]))";
    expect(() => decodeServerFrame(write(receipts, "ServerFrame"))).toThrow(/bad-value/);
  });

  it("[W2] of a kind that this server doesn't know are refused by name, not misread", () => {
    const bytes = write('(ping = (at = 5, why = "x"))', "ClientFrame");
    expect(() => decodeClientFrame(bytes, schema)).toThrow(/unknown-frame/);
  });
});
