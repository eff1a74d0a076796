// The one workload that every peer runs: N players and N props in a 2048 x 2048 arena, 60 steps/s, 20 snapshots/s.
// Pure and deterministic (no clock, no Math.random): it is imported by Node servers, by workerd bundles and by the load generator.
export const WORLD = 2048;
export const STEP_HZ = 60;
export const SNAPSHOT_HZ = 20;
export const STEPS_PER_SNAPSHOT = STEP_HZ / SNAPSHOT_HZ;
export const SNAPSHOT_MS = 1000 / SNAPSHOT_HZ;
export const MAX_SPEED = 220; // units per second
const DT = 1 / STEP_HZ;
const TAU = Math.PI * 2;

/** mulberry32: a small seeded random number generator, 0 <= value < 1. */
export function rng(seed) {
  let a = seed >>> 0;
  return () => {
    a = (a + 0x6d2b79f5) >>> 0;
    let t = Math.imul(a ^ (a >>> 15), a | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** One client's endless input stream. Odd clients hold a stick (a new direction about 15 times/s), even ones keys (3 times/s); 30 % of choices are "stand still". */
export class InputStream {
  constructor(client) {
    this.random = rng(0x51ed + client * 7919);
    this.changeChance = client % 2 ? 1 / 4 : 1 / 20;
    this.stick = client % 2 === 1;
    this.mx = 0;
    this.my = 0;
    this.buttons = 0;
  }
  /** Advances to the next step's input; read mx, my (-127..127) and buttons (4 bits). */
  next() {
    const r = this.random;
    if (r() < this.changeChance) {
      const angle = this.stick ? r() * TAU : Math.floor(r() * 8) * (TAU / 8);
      const tilt = r() < 0.3 ? 0 : 127;
      this.mx = Math.round(Math.cos(angle) * tilt);
      this.my = Math.round(Math.sin(angle) * tilt);
    }
    if (r() < 1 / 30) this.buttons ^= 1 << Math.floor(r() * 4);
    return this;
  }
}

function bounce(body) {
  if (body.x < 0 || body.x > WORLD) {
    body.x = body.x < 0 ? -body.x : 2 * WORLD - body.x;
    body.vx = -body.vx;
  }
  if (body.y < 0 || body.y > WORLD) {
    body.y = body.y < 0 ? -body.y : 2 * WORLD - body.y;
    body.vy = -body.vy;
  }
}

/** The authoritative world. Bodies are plain objects {x, y, vx, vy, h, hp}; a server copies them into whatever it sends. */
export class Arena {
  constructor(seed = 1) {
    this.random = rng(seed);
    this.players = new Map();
    this.props = [];
    this.step = 0;
  }
  /** A player brings one prop along, so a room of N players holds 2N entities. */
  join(id) {
    const r = this.random;
    const player = { x: r() * WORLD, y: r() * WORLD, vx: 0, vy: 0, h: 0, hp: 100, buttons: 0 };
    this.players.set(id, player);
    this.props.push({
      x: r() * WORLD,
      y: r() * WORLD,
      vx: 0,
      vy: 0,
      h: r() * TAU,
      hp: 100,
      spin: 0,
      moving: r() < 0.7,
    });
    return player;
  }
  leave(id) {
    if (this.players.delete(id)) this.props.pop();
  }
  /** Applies one input = one step of that player. */
  applyInput(player, mx, my, buttons) {
    player.vx = (mx / 127) * MAX_SPEED;
    player.vy = (my / 127) * MAX_SPEED;
    if (mx !== 0 || my !== 0) player.h = (Math.atan2(my, mx) + TAU) % TAU;
    player.x += player.vx * DT;
    player.y += player.vy * DT;
    bounce(player);
    if (buttons & ~player.buttons & 1) player.hp = player.hp > 10 ? player.hp - 10 : 100; // button 0 pressed
    player.buttons = buttons;
  }
  /** One step of everything that no player steers: props move 70 % of the time, with kicks, bounces and spin. */
  stepProps() {
    const r = this.random;
    this.step++;
    for (const p of this.props) {
      if (!p.moving) {
        if (r() < 1 / 36) p.moving = true;
        continue;
      }
      if (r() < 1 / 84) {
        p.moving = false;
        p.vx = p.vy = 0;
        continue;
      }
      if ((p.vx === 0 && p.vy === 0) || r() < 1 / 90) {
        const a = r() * TAU;
        const speed = 40 + r() * 180;
        p.vx = Math.cos(a) * speed;
        p.vy = Math.sin(a) * speed;
        p.spin = (r() - 0.5) * 6;
      }
      p.h = (p.h + p.spin * DT + TAU) % TAU;
      p.x += p.vx * DT;
      p.y += p.vy * DT;
      bounce(p);
    }
  }
}
