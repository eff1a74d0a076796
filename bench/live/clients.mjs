// How a client of each system connects, sends its inputs and counts what comes. None decodes state: what is measured is
// the server, on a machine that also has to play all clients.
import WebSocket from "ws";
import { joinOurs } from "./ours-client.mjs";

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
