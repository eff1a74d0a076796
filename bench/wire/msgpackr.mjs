import { FLOAT32_OPTIONS, Packr, Unpackr } from "msgpackr";

/** The whole state in msgpackr's records with 32-bit floats, its densest form. */
export function make({ clients, entities, x, y, vx, vy, heading, health, stickX, stickY, buttons }) {
  const options = { useRecords: true, structures: [], useFloat32: FLOAT32_OPTIONS.ALWAYS };
  const packr = new Packr(options);
  const unpackr = new Unpackr({ useRecords: true, structures: packr.structures });
  const inputs = new Packr({ ...options, structures: [] });
  const known = new Map();
  let message;
  return {
    write(tick) {
      const state = [];
      for (let id = 0, at = tick * entities; id < entities; id++, at++) {
        const kind = id < clients ? 0 : 1;
        const body = { x: x[at], y: y[at], vx: vx[at], vy: vy[at], heading: heading[at], health: health[at] };
        state.push({ id, kind, ...body });
      }
      message = { tick, entities: state };
    },
    encode(frames) {
      frames.fill(packr.pack(message));
    },
    decode(frame) {
      for (const entity of unpackr.unpack(frame).entities) {
        const before = known.get(entity.id);
        if (before) Object.assign(before, entity);
        else known.set(entity.id, entity);
      }
    },
    pose: (entity) => known.get(entity),
    upstream(player, tick) {
      const at = tick * clients + player;
      return inputs.pack({ seq: tick, x: stickX[at], y: stickY[at], buttons: buttons[at] }).length;
    },
  };
}
