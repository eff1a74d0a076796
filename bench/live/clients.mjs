// How a client of each system connects, sends its inputs and counts what comes. None of the others decodes state; ours is
// the whole client that a page has, so that its commands, digests and acknowledgements are real.
import WebSocket from "ws";
import { ClientCore } from "../../client-sdk/index.ts";
import { loadGame } from "./ours-game.ts";

const OPTIONS = { perMessageDeflate: false, skipUTF8Validation: true };
const wsUrl = (url) => url.replace("http", "ws");

const opened = (socket) =>
  new Promise((resolve, reject) => {
    socket.once("open", resolve);
    socket.once("error", reject);
  });

/** A client: `frame` is called 60 times a second with the step's input. */
async function connect(url, onMessage, perFrame, encode) {
  const socket = new WebSocket(url, OPTIONS);
  const client = { bytes: 0, snapshots: 0, lost: undefined, leave: () => socket.close() };
  const waiting = [];
  client.frame = (input) => {
    waiting.push([input.mx, input.my, input.buttons]);
    if (waiting.length < perFrame) return;
    for (const frame of encode(waiting)) socket.send(frame);
    waiting.length = 0;
  };
  socket.on("message", (data) => {
    client.bytes += data.length;
    if (onMessage(data, socket)) client.snapshots++;
  });
  socket.on("close", (code, reason) => {
    client.lost = `${code} ${reason}`;
  });
  await opened(socket);
  return client;
}

async function joinOurs(url, index) {
  const socket = new WebSocket(`${wsUrl(url)}/rooms/live:bench/socket`, OPTIONS);
  socket.binaryType = "arraybuffer";
  const core = new ClientCore({
    game: loadGame,
    name: `load ${index}`,
    secret: crypto.getRandomValues(new Uint8Array(32)),
    link: { send: (bytes) => socket.readyState === WebSocket.OPEN && socket.send(bytes) },
  });
  const client = { bytes: 0, snapshots: 0, lost: undefined, leave: () => socket.close() };
  client.frame = ({ mx, my, buttons }) => {
    const held = (bit) => (buttons & bit) !== 0;
    core.input.set({ x: mx / 127, y: my / 127, a: held(1), b: held(2), c: held(4), d: held(8) });
    core.frame(performance.now());
  };
  socket.on("message", (data) => {
    client.bytes += data.byteLength;
    client.snapshots++;
    core.received(new Uint8Array(data), performance.now());
  });
  socket.on("close", (code, reason) => {
    client.lost = `${code} ${reason}`;
  });
  await opened(socket);
  core.opened(performance.now());
  return client;
}

async function joinColyseus(url) {
  const { schema, t } = await import("@colyseus/schema");
  const { InputEncoder } = await import("@colyseus/schema/input");
  const response = await fetch(`${url}/matchmake/joinOrCreate/arena`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: "{}",
  });
  const seat = await response.json();
  const Input = schema({ mx: t.int8(), my: t.int8(), buttons: t.uint8() });
  const input = new Input();
  const encoder = new InputEncoder(input);
  const encode = (inputs) =>
    inputs.map(([mx, my, buttons]) => {
      Object.assign(input, { mx, my, buttons });
      return Buffer.concat([Uint8Array.of(19), encoder.encode()]); // ROOM_INPUT_RELIABLE
    });
  const onMessage = (data, socket) => {
    const code = data[0] & 31;
    if (code === 10) socket.send(Uint8Array.of(10)); // JOIN_ROOM and its acknowledgement
    return code === 15; // ROOM_STATE_PATCH
  };
  const address = `${wsUrl(url)}/${seat.processId}/${seat.roomId}?sessionId=${seat.sessionId}`;
  return connect(address, onMessage, 1, encode);
}

export const JOIN = {
  ours: joinOurs,
  colyseus: joinColyseus,
  partyserver: (url) =>
    connect(
      `${wsUrl(url)}/parties/room/bench`,
      (data) => data.length > 100,
      3,
      (inputs) => [JSON.stringify({ inputs })],
    ),
  ceiling: (url) =>
    connect(
      `${wsUrl(url)}/rooms/bench`,
      () => true,
      3,
      (inputs) => [Uint8Array.from(inputs.flat(), (value) => value & 255)],
    ),
};
