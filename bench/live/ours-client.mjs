// A client of ours as lean as the others': numbered commands within its credit, acknowledgements and clock samples as a
// page sends them, three commands to a frame; of what comes it reads the frame, but neither entities nor rows.
import WebSocket from "ws";
import { decodeServerFrame, encodeClientFrame, PROTOCOL_VERSION } from "../../protocol/index.ts";
import { packCommand, quantiseCommand } from "../../sim/index.ts";
import { loadGame } from "./ours-game.ts";

const COMMANDS_PER_FRAME = 3;
const { schema } = loadGame;
const held = (buttons, bit) => (buttons & bit) !== 0;

const hello = (index) => ({
  type: "hello",
  protocol: PROTOCOL_VERSION,
  game: loadGame.name,
  gameVersion: loadGame.version,
  fingerprint: schema.fingerprint,
  secret: crypto.getRandomValues(new Uint8Array(32)),
  name: `load ${index}`,
  inputSession: 0,
  nextSeq: 1,
  oldestSeq: 1,
  incarnation: 0,
});

export async function joinOurs(url, index) {
  const address = `${url.replace("http", "ws")}/rooms/live:bench/socket`;
  const socket = new WebSocket(address, { perMessageDeflate: false });
  const client = { bytes: 0, snapshots: 0, lost: undefined, leave: () => socket.close() };
  const send = (frame) => socket.send(encodeClientFrame(frame, schema));
  let [inputSession, seq, credit, ackTick] = [0, 1, 0, 0];
  let commands = [];
  client.frame = ({ mx, my, buttons }) => {
    // Past its credit a page stops, too, until the room has caught up.
    if (inputSession === 0 || seq > credit) return;
    const input = {
      x: mx / 127,
      y: my / 127,
      a: held(buttons, 1),
      b: held(buttons, 2),
      c: held(buttons, 4),
      d: held(buttons, 8),
    };
    commands.push({ seq: seq++, bytes: packCommand(schema, quantiseCommand(schema, input)) });
    if (commands.length < COMMANDS_PER_FRAME) return;
    const sentAtMs = Math.floor(performance.now());
    if (socket.readyState === WebSocket.OPEN)
      send({ type: "input", inputSession, sentAtMs, ackTick, commands });
    commands = [];
  };
  socket.on("message", (data) => {
    client.bytes += data.byteLength;
    const frame = decodeServerFrame(data);
    if (frame.type === "welcome") {
      ({ inputSession, credit } = frame);
      seq = frame.consumed + 1;
    } else if (frame.type === "snapshot") {
      client.snapshots++;
      ackTick = frame.tick;
      credit = frame.credit;
    }
  });
  socket.on("close", (code, reason) => {
    client.lost = `${code} ${reason}`;
  });
  await new Promise((resolve, reject) => {
    socket.once("open", resolve);
    socket.once("error", reject);
  });
  send(hello(index));
  return client;
}
