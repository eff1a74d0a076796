/** What every system is given: a deterministic arena of moving things, at 60 ticks a second. */
export interface Workload {
  readonly clients: number;
  /** The first half are players, the rest props. */
  readonly entities: number;
  readonly ticks: number;
  /** By tick, then by entity. Metres, metres per second, radians, points. */
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly vx: Float64Array;
  readonly vy: Float64Array;
  readonly heading: Float64Array;
  readonly health: Uint8Array;
  /** Whether anything of it changed in that tick. */
  readonly touched: Uint8Array;
  /** By tick, then by player: a stick's two axes, −127 … 127, and four buttons. */
  readonly stickX: Int8Array;
  readonly stickY: Int8Array;
  readonly buttons: Uint8Array;
}

export const TICK_RATE = 60;
export const WORLD_SIZE = 2048;
const TURN = Math.PI * 2;
const SECONDS = 10;
/** Chance per tick to stop, and to go on: 1.4 s of motion, 0.6 s of rest. */
const STOP = 1 / 84;
const GO = (STOP * 0.7) / 0.3;

/** mulberry32 */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

interface Body {
  x: number;
  y: number;
  vx: number;
  vy: number;
  course: number;
  speed: number;
  turning: number;
  heading: number;
  spin: number;
  moves: boolean;
  health: number;
}

/** Players steer smoothly and lose health now and then; props fly straight, spin, and are kicked now and then. */
export function makeWorkload(clients: number): Workload {
  const random = randomFrom(4711 + clients);
  const entities = clients * 2;
  const ticks = SECONDS * TICK_RATE + 1;
  const size = ticks * entities;
  const [x, y, vx, vy, heading] = Array.from({ length: 5 }, () => new Float64Array(size)) as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  const health = new Uint8Array(size);
  const touched = new Uint8Array(size);
  const bodies: Body[] = Array.from({ length: entities }, () => ({
    x: random() * WORLD_SIZE,
    y: random() * WORLD_SIZE,
    vx: 0,
    vy: 0,
    course: random() * TURN,
    speed: 60 + random() * 160,
    turning: 0,
    heading: random() * TURN,
    spin: (random() - 0.5) * 6,
    moves: random() < 0.7,
    health: 100,
  }));
  for (let tick = 0; tick < ticks; tick++) {
    for (const [index, body] of bodies.entries()) {
      const at = tick * entities + index;
      const isPlayer = index < clients;
      touched[at] = tick === 0 || advance(body, isPlayer, tick, index, random) ? 1 : 0;
      x[at] = body.x;
      y[at] = body.y;
      vx[at] = body.vx;
      vy[at] = body.vy;
      heading[at] = ((body.heading % TURN) + TURN) % TURN;
      health[at] = body.health;
    }
  }
  return {
    clients,
    entities,
    ticks,
    x,
    y,
    vx,
    vy,
    heading,
    health,
    touched,
    ...makeInputs(clients, ticks, random),
  };
}

function advance(body: Body, isPlayer: boolean, tick: number, index: number, random: () => number): boolean {
  let touched = false;
  if (!body.moves) body.moves = random() < GO;
  else {
    touched = true;
    if (random() < STOP) {
      body.moves = false;
      body.vx = 0;
      body.vy = 0;
    } else {
      if (isPlayer) steer(body, tick, index, random);
      else drift(body, random);
      move(body);
    }
  }
  if (isPlayer && random() < 1 / 240) {
    body.health = body.health > 10 ? body.health - 10 : 100;
    touched = true;
  }
  return touched;
}

function head(body: Body): void {
  body.vx = Math.cos(body.course) * body.speed;
  body.vy = Math.sin(body.course) * body.speed;
}

function steer(body: Body, tick: number, index: number, random: () => number): void {
  body.turning = (body.turning + (random() - 0.5) * 1.2) * 0.97;
  body.course += (body.turning * 2) / TICK_RATE;
  body.speed = Math.min(220, Math.max(60, body.speed + (random() - 0.5) * 6));
  head(body);
  body.heading = body.course + 0.3 * Math.sin(tick * 0.05 + index);
}

function drift(body: Body, random: () => number): void {
  if ((body.vx === 0 && body.vy === 0) || random() < 1 / 90) {
    body.course = random() * TURN;
    body.speed = 40 + random() * 180;
    body.spin = (random() - 0.5) * 6;
    head(body);
  }
  body.heading += body.spin / TICK_RATE;
}

function move(body: Body): void {
  body.x += body.vx / TICK_RATE;
  body.y += body.vy / TICK_RATE;
  if (body.x < 0 || body.x > WORLD_SIZE) {
    body.x = body.x < 0 ? -body.x : 2 * WORLD_SIZE - body.x;
    body.vx = -body.vx;
  }
  if (body.y < 0 || body.y > WORLD_SIZE) {
    body.y = body.y < 0 ? -body.y : 2 * WORLD_SIZE - body.y;
    body.vy = -body.vy;
  }
  body.course = Math.atan2(body.vy, body.vx);
}

/** Every other player has a stick, which moves four times as often as the others' keys. */
function makeInputs(clients: number, ticks: number, random: () => number) {
  const stickX = new Int8Array(ticks * clients);
  const stickY = new Int8Array(ticks * clients);
  const buttons = new Uint8Array(ticks * clients);
  for (let player = 0; player < clients; player++) {
    let [x, y, held] = [0, 0, 0];
    for (let tick = 0; tick < ticks; tick++) {
      const hasStick = player % 2 === 1;
      if (random() < (hasStick ? 1 / 4 : 1 / 20)) {
        const angle = hasStick ? random() * TURN : (Math.floor(random() * 8) * TURN) / 8;
        const push = random() < 0.3 ? 0 : 127;
        x = Math.round(Math.cos(angle) * push);
        y = Math.round(Math.sin(angle) * push);
      }
      if (random() < 1 / 30) held ^= 1 << Math.floor(random() * 4);
      const at = tick * clients + player;
      stickX[at] = x;
      stickY[at] = y;
      buttons[at] = held;
    }
  }
  return { stickX, stickY, buttons };
}

/** The grid that all quantised systems use: 1/32 m, 2 m/s, 256 headings. */
export const quanta = {
  place: (metres: number) => Math.min(65_535, Math.max(0, Math.round(metres * 32))),
  speed: (metresPerSecond: number) => Math.min(127, Math.max(-127, Math.round(metresPerSecond / 2))),
  heading: (radians: number) => Math.round((radians * 256) / TURN) & 255,
};
