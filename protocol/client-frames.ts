import type { CompiledSchema } from "../sim/index.ts";
import { decodeCommands, encodeCommands, referenceFor } from "./commands.ts";
import { WireError } from "./errors.ts";
import {
  type ClientFrame,
  type FetchFrame,
  type HelloFrame,
  type InputFrame,
  PROTOCOL_VERSION,
} from "./frame-types.ts";
import { type ClientFrame_hello, type ClientFrame_input, ClientFrame as Layout } from "./generated/frames.ts";
import * as LIMITS from "./limits.ts";
import { readMessage } from "./message.ts";
import { writeMessage } from "./message-writer.ts";
import { pack, unpack } from "./packing.ts";

/** A client's frame, packed. */
export function encodeClientFrame(frame: ClientFrame, schema: CompiledSchema): Uint8Array<ArrayBuffer> {
  if (frame.type === "input") return encodeInput(frame, schema);
  if (frame.type === "hello" && frame.secret.length !== LIMITS.secretBytes) {
    throw new RangeError("a seat's secret has 32 bytes");
  }
  return pack(writeMessage(Layout, frame));
}

function encodeInput(frame: InputFrame, schema: CompiledSchema): Uint8Array<ArrayBuffer> {
  const reference = referenceFor(frame.commands);
  const commands = encodeCommands(schema, frame.commands, reference);
  return pack(writeMessage(Layout, { ...frame, reference, commands }));
}

/** Reads a client's frame or throws a WireError; a kind of frame from a newer client is one too. */
export function decodeClientFrame(bytes: Uint8Array, schema: CompiledSchema): ClientFrame {
  if (bytes.length > LIMITS.frameBytesIn) {
    throw new WireError("too-large", `${bytes.length} bytes, at most ${LIMITS.frameBytesIn}`);
  }
  const maxBytes = LIMITS.unpackedBytesIn;
  const frame = readMessage(unpack(bytes, maxBytes), Layout, maxBytes);
  switch (frame.type) {
    case "hello":
      return checkedHello(frame);
    case "input":
      return decodeInput(frame, schema);
    case "keyframe":
      if (frame.requestId === 0) throw new WireError("bad-value", "a keyframe request without a number");
      return frame;
    case "leave":
      return frame;
    case "cursor":
      requireSession(frame.session);
      return frame;
    case "fetch":
      return checkedFetch(frame);
    case "baseline":
      requireSession(frame.session);
      if (frame.requestId === 0) throw new WireError("bad-value", "a baseline request without a number");
      return frame;
    default:
      // Skipping it would leave the client waiting for an effect that never comes.
      throw new WireError("unknown-frame", `a client frame of kind ${frame.which}`);
  }
}

function checkedHello(frame: ClientFrame_hello): HelloFrame {
  // Another version may mean something else by these fields: leave the refusal to the handshake's clear words.
  if (frame.protocol !== PROTOCOL_VERSION) return frame;
  if (frame.secret.length !== LIMITS.secretBytes)
    throw new WireError("bad-value", "a secret of another size");
  requireText(frame.name, LIMITS.nameCodePoints, "name");
  requireText(frame.game, LIMITS.gameNameCodePoints, "game name");
  if (frame.nextSeq === 0) throw new WireError("bad-value", "commands are numbered from 1");
  if (frame.oldestSeq === 0 || frame.oldestSeq > frame.nextSeq) {
    throw new WireError("bad-value", `a queue from ${frame.oldestSeq} to before ${frame.nextSeq}`);
  }
  return frame;
}

function decodeInput(input: ClientFrame_input, schema: CompiledSchema): InputFrame {
  const { type, inputSession, sentAtMs, ackTick, reference } = input;
  if (inputSession === 0) throw new WireError("bad-value", "commands of no input session");
  const commands = decodeCommands(schema, input.commands, reference);
  return { type, inputSession, sentAtMs, ackTick, commands };
}

function checkedFetch(frame: FetchFrame): FetchFrame {
  const { session, from, to } = frame;
  requireSession(session);
  if (from === 0 || from > to || to - from >= LIMITS.fetchRange) {
    throw new WireError("bad-value", `receipts from ${from} to ${to}`);
  }
  return frame;
}

function requireSession(session: number): void {
  if (session === 0) throw new WireError("bad-value", "receipts of no input session");
}

function requireText(text: string, maxCodePoints: number, what: string): void {
  if ([...text].length > maxCodePoints) {
    throw new WireError("bad-value", `a ${what} of more than ${maxCodePoints} characters`);
  }
}
