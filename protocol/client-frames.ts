import type { CompiledSchema } from "../sim/index.ts";
import { decodeCommands, encodeCommands, referenceFor } from "./commands.ts";
import { WireError } from "./errors.ts";
import {
  type BaselineRequestFrame,
  type ClientFrame,
  type CursorFrame,
  type FetchFrame,
  type HelloFrame,
  type InputFrame,
  PROTOCOL_VERSION,
} from "./frame-types.ts";
import {
  type ClientFrame_Baseline,
  type ClientFrame_Cursor,
  type ClientFrame_Fetch,
  type ClientFrame_Hello,
  type ClientFrame_Input,
  ClientFrame as ClientRoot,
} from "./generated/frames.ts";
import { LIMITS } from "./limits.ts";
import { createMessage, type RootShape, readMessage } from "./message.ts";
import { pack, unpack } from "./packing.ts";

const SHAPE: RootShape = { tagOffset: 28, members: [["text", "data", "text"], ["data"], [], [], [], [], []] };
/** Segment bytes of a frame without its texts and data. */
const ROOT_BYTES = 80;

/** A client's frame, packed. */
export function encodeClientFrame(frame: ClientFrame, schema: CompiledSchema): Uint8Array<ArrayBuffer> {
  switch (frame.type) {
    case "hello":
      return encodeHello(frame);
    case "input":
      return encodeInput(frame, schema);
    case "keyframe": {
      const message = createMessage(ROOT_BYTES);
      message.initRoot(ClientRoot)._initKeyframe().requestId = frame.requestId;
      return pack(new Uint8Array(message.toArrayBuffer()));
    }
    case "leave": {
      const message = createMessage(ROOT_BYTES);
      message.initRoot(ClientRoot).leave = true;
      return pack(new Uint8Array(message.toArrayBuffer()));
    }
    case "cursor": {
      const message = createMessage(ROOT_BYTES);
      const cursor = message.initRoot(ClientRoot)._initCursor();
      cursor.session = frame.session;
      cursor.cursor = frame.cursor;
      cursor.baselineId = frame.baselineId;
      return pack(new Uint8Array(message.toArrayBuffer()));
    }
    case "fetch": {
      const message = createMessage(ROOT_BYTES);
      const fetch = message.initRoot(ClientRoot)._initFetch();
      fetch.session = frame.session;
      fetch.from = frame.from;
      fetch.to = frame.to;
      return pack(new Uint8Array(message.toArrayBuffer()));
    }
    case "baseline": {
      const message = createMessage(ROOT_BYTES);
      const baseline = message.initRoot(ClientRoot)._initBaseline();
      baseline.session = frame.session;
      baseline.cursor = frame.cursor;
      baseline.requestId = frame.requestId;
      return pack(new Uint8Array(message.toArrayBuffer()));
    }
  }
}

function encodeHello(frame: HelloFrame): Uint8Array<ArrayBuffer> {
  if (frame.secret.length !== LIMITS.secretBytes.value) throw new RangeError("a seat's secret has 32 bytes");
  const message = createMessage(
    ROOT_BYTES + frame.secret.length + 4 * (frame.name.length + frame.game.length),
  );
  const hello = message.initRoot(ClientRoot)._initHello();
  hello.protocol = frame.protocol;
  hello.gameVersion = frame.gameVersion;
  hello.fingerprint = frame.fingerprint;
  hello.inputSession = frame.inputSession;
  hello.nextSeq = frame.nextSeq;
  hello.oldestSeq = frame.oldestSeq;
  hello.incarnation = frame.incarnation;
  hello.game = frame.game;
  hello._initSecret(frame.secret.length).copyBuffer(frame.secret);
  hello.name = frame.name;
  return pack(new Uint8Array(message.toArrayBuffer()));
}

function encodeInput(frame: InputFrame, schema: CompiledSchema): Uint8Array<ArrayBuffer> {
  const reference = referenceFor(frame.commands);
  const batch = encodeCommands(schema, frame.commands, reference);
  const message = createMessage(ROOT_BYTES + batch.length);
  const input = message.initRoot(ClientRoot)._initInput();
  input.inputSession = frame.inputSession;
  input.sentAtMs = frame.sentAtMs;
  input.ackTick = frame.ackTick;
  input.reference = reference;
  input._initCommands(batch.length).copyBuffer(batch);
  return pack(new Uint8Array(message.toArrayBuffer()));
}

/** Reads a client's frame or throws a WireError; a kind of frame from a newer client is one too. */
export function decodeClientFrame(bytes: Uint8Array, schema: CompiledSchema): ClientFrame {
  if (bytes.length > LIMITS.frameBytesIn.value) {
    throw new WireError("too-large", `${bytes.length} bytes, at most ${LIMITS.frameBytesIn.value}`);
  }
  const maxBytes = LIMITS.unpackedBytesIn.value;
  return readMessage(unpack(bytes, maxBytes), { maxBytes, Root: ClientRoot, shape: SHAPE }, (root) =>
    decodeRoot(root, schema),
  );
}

function decodeRoot(root: ClientRoot, schema: CompiledSchema): ClientFrame {
  switch (root.which()) {
    case ClientRoot.HELLO:
      return decodeHello(root.hello);
    case ClientRoot.INPUT:
      return decodeInput(root.input, schema);
    case ClientRoot.KEYFRAME: {
      const { requestId } = root.keyframe;
      if (requestId === 0) throw new WireError("bad-value", "a keyframe request without a number");
      return { type: "keyframe", requestId };
    }
    case ClientRoot.LEAVE:
      return { type: "leave" };
    case ClientRoot.CURSOR:
      return decodeCursor(root.cursor);
    case ClientRoot.FETCH:
      return decodeFetch(root.fetch);
    case ClientRoot.BASELINE:
      return decodeBaselineRequest(root.baseline);
    default:
      // Skipping it would leave the client waiting for an effect that never comes.
      throw new WireError("unknown-frame", `a client frame of kind ${root.which()}`);
  }
}

function decodeHello(hello: ClientFrame_Hello): HelloFrame {
  const frame: HelloFrame = {
    type: "hello",
    protocol: hello.protocol,
    game: hello.game,
    gameVersion: hello.gameVersion,
    fingerprint: hello.fingerprint,
    secret: hello.secret.toUint8Array(),
    name: hello.name,
    inputSession: hello.inputSession,
    nextSeq: hello.nextSeq,
    oldestSeq: hello.oldestSeq,
    incarnation: hello.incarnation,
  };
  // Another version may mean something else by these fields: leave the refusal to the handshake's clear words.
  if (frame.protocol !== PROTOCOL_VERSION) return frame;
  if (frame.secret.length !== LIMITS.secretBytes.value)
    throw new WireError("bad-value", "a secret of another size");
  requireText(frame.name, LIMITS.nameCodePoints.value, "name");
  requireText(frame.game, LIMITS.gameNameCodePoints.value, "game name");
  if (frame.nextSeq === 0) throw new WireError("bad-value", "commands are numbered from 1");
  if (frame.oldestSeq === 0 || frame.oldestSeq > frame.nextSeq) {
    throw new WireError("bad-value", `a queue from ${frame.oldestSeq} to before ${frame.nextSeq}`);
  }
  return frame;
}

function decodeInput(input: ClientFrame_Input, schema: CompiledSchema): InputFrame {
  if (input.inputSession === 0) throw new WireError("bad-value", "commands of no input session");
  return {
    type: "input",
    inputSession: input.inputSession,
    sentAtMs: input.sentAtMs,
    ackTick: input.ackTick,
    commands: decodeCommands(schema, input.commands.toUint8Array(), input.reference),
  };
}

function decodeCursor({ session, cursor, baselineId }: ClientFrame_Cursor): CursorFrame {
  requireSession(session);
  return { type: "cursor", session, cursor, baselineId };
}

function decodeFetch({ session, from, to }: ClientFrame_Fetch): FetchFrame {
  requireSession(session);
  if (from === 0 || from > to || to - from >= LIMITS.fetchRange.value) {
    throw new WireError("bad-value", `receipts from ${from} to ${to}`);
  }
  return { type: "fetch", session, from, to };
}

function decodeBaselineRequest({ session, cursor, requestId }: ClientFrame_Baseline): BaselineRequestFrame {
  requireSession(session);
  if (requestId === 0) throw new WireError("bad-value", "a baseline request without a number");
  return { type: "baseline", session, cursor, requestId };
}

function requireSession(session: number): void {
  if (session === 0) throw new WireError("bad-value", "receipts of no input session");
}

function requireText(text: string, maxCodePoints: number, what: string): void {
  if ([...text].length > maxCodePoints) {
    throw new WireError("bad-value", `a ${what} of more than ${maxCodePoints} characters`);
  }
}
