/** The whole state as JSON with two decimals: what is written first when no library is used. */
export function make({ clients, entities, x, y, vx, vy, heading, health, stickX, stickY, buttons }) {
  const cents = (value) => Math.round(value * 100) / 100;
  const known = new Map();
  let message = "";
  return {
    write(tick) {
      const state = [];
      for (let id = 0, at = tick * entities; id < entities; id++, at++) {
        const isPlayer = id < clients;
        state.push({
          id,
          kind: isPlayer ? 0 : 1,
          x: cents(x[at]),
          y: cents(y[at]),
          vx: cents(vx[at]),
          vy: cents(vy[at]),
          heading: cents(heading[at]),
          health: health[at],
        });
      }
      message = { tick, entities: state };
    },
    encode(frames) {
      frames.fill(JSON.stringify(message));
    },
    decode(frame) {
      for (const entity of JSON.parse(frame).entities) {
        const before = known.get(entity.id);
        if (before) Object.assign(before, entity);
        else known.set(entity.id, entity);
      }
    },
    pose: (entity) => known.get(entity),
    upstream(player, tick) {
      const at = tick * clients + player;
      return JSON.stringify({ seq: tick, x: stickX[at], y: stickY[at], buttons: buttons[at] }).length;
    },
  };
}
