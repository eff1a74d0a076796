import { Decoder, Encoder, encode, StateView, schema, t } from "@colyseus/schema";
import { InputEncoder } from "@colyseus/schema/input";

Encoder.BUFFER_SIZE = 256 * 1024;
const FULL = 14;
const PATCH = 15;
/** In front of each state: its kind, the server's time and the last input that it has seen. */
const HEAD_BYTES = 9;

/** @colyseus/schema with its quantised types, in the frames of Colyseus 0.18; with a view for each client or without. */
export function make({ clients, entities, x, y, vx, vy, heading, health, touched, ...input }, { views }) {
  const speed = { min: -256, max: 256, bits: 8 };
  const place = { min: 0, max: 2048, bits: 16 };
  const Body = schema(
    {
      kind: t.uint8(),
      health: t.uint8(),
      x: t.quantized(place),
      y: t.quantized(place),
      vx: t.quantized(speed),
      vy: t.quantized(speed),
      heading: t.angle({ bits: 8 }),
    },
    "Body",
  );
  const map = () => (views ? t.map(Body).view() : t.map(Body));
  const State = schema({ players: map(), props: map() }, "State");
  const state = new State();
  const encoder = new Encoder(state);
  const bodies = Array.from({ length: entities }, (_, id) => {
    const body = Object.assign(new Body(), { health: 100, x: 1, y: 1, vx: 1, vy: 1, heading: 1 });
    body.kind = id < clients ? 0 : 1;
    (id < clients ? state.players : state.props).set(String(id), body);
    return body;
  });
  const viewOf = () => {
    const view = new StateView();
    for (const body of bodies) view.add(body);
    return view;
  };
  const all = views ? Array.from({ length: clients }, viewOf) : [];
  const copy = new State();
  const decoder = new Decoder(copy);
  let isFirst = true;
  let acknowledged = 0;
  let nowMs = 0;

  function framed(bytes) {
    const frame = Buffer.allocUnsafe(HEAD_BYTES + bytes.length - 1);
    frame[0] = bytes[0] | 0x80;
    const place = { offset: 1 };
    encode.uint32(frame, nowMs, place);
    encode.uint32(frame, acknowledged, place);
    frame.set(bytes.subarray(1), HEAD_BYTES);
    return frame;
  }

  return {
    write(tick) {
      nowMs = tick * 17;
      for (let id = 0, at = tick * entities; id < entities; id++, at++) {
        if (!touched[at]) continue;
        const body = bodies[id];
        body.x = x[at];
        body.y = y[at];
        body.vx = vx[at];
        body.vy = vy[at];
        body.heading = heading[at];
        body.health = health[at];
      }
    },
    encode(frames) {
      acknowledged++;
      const place = { offset: 1 };
      encoder.sharedBuffer[0] = isFirst ? FULL : PATCH;
      const shared = isFirst ? encoder.encodeAll(place) : encoder.encode(place);
      const end = place.offset;
      for (let c = 0; c < clients; c++) {
        if (!views) frames[c] = framed(shared);
        else if (isFirst) frames[c] = framed(encoder.encodeAllView(all[c], end, { ...place }));
        else frames[c] = framed(encoder.encodeView(all[c], end, place));
      }
      if (isFirst) for (const view of all) view.changes.clear();
      encoder.discardChanges();
      isFirst = false;
    },
    decode: (frame) => decoder.decode(frame, { offset: HEAD_BYTES }),
    pose: (entity) => (entity < clients ? copy.players : copy.props).get(String(entity)),
    upstream: upstreamOf(clients, input),
  };
}

function upstreamOf(clients, { stickX, stickY, buttons }) {
  const Input = schema({ x: t.int8(), y: t.int8(), buttons: t.uint8() }, "Input");
  const encoders = new Map();
  return (player, tick) => {
    if (!encoders.has(player)) {
      const input = new Input();
      encoders.set(player, { input, encoder: new InputEncoder(input, { mode: "reliable" }) });
    }
    const { input, encoder } = encoders.get(player);
    const at = tick * clients + player;
    input.x = stickX[at];
    input.y = stickY[at];
    input.buttons = buttons[at];
    return encoder.encode().length + 1;
  };
}
