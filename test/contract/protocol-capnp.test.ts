import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { decodeCommands } from "../../protocol/commands.ts";
import {
  type ClientFrame,
  decodeClientFrame,
  decodeExport,
  decodeLedger,
  decodeReceiptRow,
  decodeRoom,
  decodeServerFrame,
  type Receipt,
  type ServerFrame,
  type StoredSeat,
} from "../../protocol/index.ts";
import { snapshotRecord } from "../../protocol/snapshot-writer.ts";
import { encoded } from "../unit/protocol/encoded-samples.ts";
import { clientFrames, serverFrames } from "../unit/protocol/frame-samples.ts";
import { ledgerRow, receiptRow, roomExport, storedRoom } from "../unit/protocol/row-samples.ts";
import { game, schema } from "../unit/protocol/samples.ts";

// The reference implementation of the wire format is the `capnp` tool: what it reads from our bytes, and what we
// read from its bytes, must be what was meant. JSON is its form with exact numbers and bytes.

type Encoding = "binary" | "packed";
type Json = Record<string, unknown>;

function schemaPath(file: string): string {
  return fileURLToPath(new URL(`../../protocol/${file}`, import.meta.url));
}

function convert(
  from: Encoding | "json",
  to: Encoding | "json",
  input: Uint8Array,
  file: string,
  type: string,
) {
  return execFileSync("capnp", ["convert", `${from}:${to}`, schemaPath(file), type], {
    input,
    stdio: "pipe",
  });
}

function read(bytes: Uint8Array, encoding: Encoding, file: string, type: string): Json {
  return JSON.parse(convert(encoding, "json", bytes, file, type).toString()) as Json;
}

function write(json: Json, encoding: Encoding, file: string, type: string): Uint8Array {
  return new Uint8Array(
    convert("json", encoding, new TextEncoder().encode(JSON.stringify(json)), file, type),
  );
}

const bytes = (data: Uint8Array): number[] => [...data];
const batchOf = (json: Json) => (json.input as { commands?: number[] }).commands ?? [];

/** A frame in the tool's JSON: 64-bit numbers as text, data as numbers; the union member as the only key. */
function clientJson(frame: ClientFrame, commands: readonly number[]): Json {
  switch (frame.type) {
    case "hello": {
      const { type: _, secret, fingerprint, ...rest } = frame;
      return { hello: { ...rest, secret: bytes(secret), fingerprint: String(fingerprint) } };
    }
    case "input": {
      const { type: _, commands: entries, ...rest } = frame;
      const reference = entries[0] === undefined ? 0 : entries[0].seq - 1;
      return { input: { ...rest, reference, commands } };
    }
    case "keyframe":
      return { keyframe: { requestId: frame.requestId } };
    case "leave":
      return { leave: null };
    case "cursor":
    case "fetch":
    case "baseline": {
      const { type, ...rest } = frame;
      return { [type]: rest };
    }
  }
}

function camel(name: string): string {
  return name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** A receipt as an item of a frame, which names the session itself. */
function receiptJson({ session: _, result, ...rest }: Receipt): Json {
  return { ...rest, result: result === null ? "" : JSON.stringify(result) };
}

function serverJson(frame: Exclude<ServerFrame, { type: "unknown" }>): Json {
  switch (frame.type) {
    case "welcome": {
      const { type: _, ...rest } = frame;
      return { welcome: rest };
    }
    case "snapshot": {
      const { type: _, shared, own, ...rest } = snapshotRecord(frame);
      return { snapshot: { ...rest, shared: bytes(shared), own: bytes(own) } };
    }
    case "roster":
      return { roster: { seats: frame.seats } };
    case "notice":
      return { notice: { inMs: frame.inMs, reason: frame.reason } };
    case "receipts":
    case "baseline": {
      const { type, items, ...rest } = frame;
      return { [type]: { ...rest, items: items.map(receiptJson) } };
    }
    case "session": {
      const { type: _, reason, ...rest } = frame;
      return { session: { ...rest, reason: camel(reason) } };
    }
    case "resend":
    case "events": {
      const { type, ...rest } = frame;
      return { [type]: rest };
    }
  }
}

function u32Bytes(numbers: Iterable<number>): number[] {
  return bytes(new Uint8Array(Uint32Array.from(numbers).buffer));
}

function seatJson(seat: StoredSeat): Json {
  const { kind, secretHash, held, digests, dispositions, sessions, ...rest } = seat;
  return {
    ...rest,
    isBot: kind === "bot",
    secretHash: bytes(secretHash),
    held: bytes(held),
    digests: u32Bytes(digests),
    dispositions: bytes(dispositions),
    sessions: sessions.map((session) => ({ ...session, reason: camel(session.reason) })),
  };
}

const { seats, world, fingerprint, hash, pending, poses, debts, ...roomRest } = storedRoom;
const roomJson: Json = {
  ...roomRest,
  fingerprint: String(fingerprint),
  hash: String(hash),
  world: bytes(world),
  seats: seats.map(seatJson),
  pending: pending.map((action) => ({ ...action, params: bytes(action.params) })),
  debts: debts.map((debt) => ({ ...debt, params: bytes(debt.params) })),
  poses: poses.map(({ tick, section }) => ({ tick, section: bytes(section) })),
};

const ledgerJson: Json = {
  ...ledgerRow,
  hash: String(ledgerRow.hash),
  fingerprint: String(ledgerRow.fingerprint),
  boundaries: u32Bytes(ledgerRow.boundaries),
  joins: ledgerRow.joins.map(({ kind, ...rest }) => ({ ...rest, isBot: kind === "bot" })),
  ended: ledgerRow.ended.map((end) => ({ ...end, reason: camel(end.reason) })),
  sessions: ledgerRow.sessions.map((session) => ({
    ...session,
    entries: session.entries.map((entry) => ({
      ...entry,
      bytes: bytes(entry.bytes),
      actions: entry.actions.map(({ disposition, rewoundTick, ...rest }) => {
        const rewoundPart = (rewoundTick % 1) * 256;
        return {
          ...rest,
          admitted: disposition === "admitted",
          rewoundTick: Math.floor(rewoundTick),
          rewoundPart,
        };
      }),
    })),
    missedTicks: u32Bytes(session.missedTicks),
  })),
};

const receiptRowJson: Json = {
  formatVersion: receiptRow.formatVersion,
  seat: receiptRow.seat,
  session: receiptRow.receipt.session,
  committedTick: receiptRow.committedTick,
  ...receiptJson(receiptRow.receipt),
};

const exportJson: Json = {
  ...roomExport,
  checkpoints: roomExport.checkpoints.map((row) => ({ row: bytes(row) })),
  ledger: roomExport.ledger.map((row) => ({ row: bytes(row) })),
};

/** The tool leaves out texts, data and lists that are null; ours are sometimes empty instead. Both mean the same. */
function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([, v]) => v !== "" && !(Array.isArray(v) && v.length === 0));
  return Object.fromEntries(kept.map(([key, v]) => [key, withoutEmpty(v)]));
}

describe("what the reference tool reads from our frames", () => {
  for (const { name, bytes: frame } of encoded.client) {
    it(`[W1] is the client's ${name} (packed)`, () => {
      const meant = clientFrames[name] as ClientFrame;
      const json = read(frame, "packed", "frames.capnp", "ClientFrame");
      const batch = meant.type === "input" ? batchOf(json) : [];
      expect(withoutEmpty(json)).toEqual(withoutEmpty(clientJson(meant, batch)));
      if (meant.type !== "input") return;
      const { reference } = json.input as { reference: number };
      expect(decodeCommands(schema, Uint8Array.from(batch), reference)).toEqual(meant.commands);
    });
  }

  for (const { name, bytes: frame } of encoded.server) {
    it(`[W1] is the server's ${name} (packed)`, () => {
      const meant = serverFrames[name] as (typeof serverFrames)[string];
      const json = read(frame, "packed", "frames.capnp", "ServerFrame");
      expect(withoutEmpty(json)).toEqual(withoutEmpty(serverJson(meant)));
    });
  }

  it("[W1] is a stored room, ledger row, receipt row and export", () => {
    const room = read(encoded.state.bytes, "binary", "storage.capnp", "StateRow");
    expect(withoutEmpty(room)).toEqual(withoutEmpty(roomJson));
    const ledger = read(encoded.ledger.bytes, "binary", "storage.capnp", "LedgerRow");
    expect(withoutEmpty(ledger)).toEqual(withoutEmpty(ledgerJson));
    const receipt = read(encoded.receipt.bytes, "binary", "storage.capnp", "ReceiptRow");
    expect(withoutEmpty(receipt)).toEqual(withoutEmpty(receiptRowJson));
    const exported = read(encoded.export.bytes, "binary", "storage.capnp", "RoomExport");
    expect(withoutEmpty(exported)).toEqual(withoutEmpty(exportJson));
  });

  it("[W1] is also readable text, for a person with a captured frame", () => {
    const args = ["decode", "--packed", schemaPath("frames.capnp"), "ClientFrame"];
    const input = encoded.client[0]?.bytes as Uint8Array;
    expect(execFileSync("capnp", args, { input }).toString()).toContain('game = "samples"');
  });
});

describe("what we read from the reference tool's frames", () => {
  for (const { name, bytes: frame } of encoded.client) {
    it(`[W1] is the client's ${name} (packed)`, () => {
      const meant = clientFrames[name] as ClientFrame;
      const batch =
        meant.type === "input" ? batchOf(read(frame, "packed", "frames.capnp", "ClientFrame")) : [];
      const theirs = write(clientJson(meant, batch), "packed", "frames.capnp", "ClientFrame");
      expect(decodeClientFrame(theirs, schema)).toEqual(meant);
    });
  }

  for (const [name, meant] of Object.entries(serverFrames)) {
    it(`[W1] is the server's ${name} (packed)`, () => {
      const theirs = write(serverJson(meant), "packed", "frames.capnp", "ServerFrame");
      expect(decodeServerFrame(theirs)).toEqual(meant);
    });
  }

  it("[W1] is a stored room, ledger row, receipt row and export", () => {
    const room = write(roomJson, "binary", "storage.capnp", "StateRow");
    expect(decodeRoom(room, game)).toEqual(storedRoom);
    const ledger = write(ledgerJson, "binary", "storage.capnp", "LedgerRow");
    expect(decodeLedger(ledger)).toEqual(ledgerRow);
    const receipt = write(receiptRowJson, "binary", "storage.capnp", "ReceiptRow");
    expect(decodeReceiptRow(receipt)).toEqual(receiptRow);
    const exported = write(exportJson, "binary", "storage.capnp", "RoomExport");
    expect(decodeExport(exported)).toEqual(roomExport);
  });
});
