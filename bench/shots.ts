/**
 * What lag compensation is worth: scripted players shoot at what their own screens show, and the room judges. A shot
 * counts when the page that fired it showed a hit: its predicted way met a player as that page had drawn it.
 */
import { metresToPlayer } from "../demo/ballistics.ts";
import type { ShotSight } from "../demo/events.ts";
import { type Arena, arena } from "../demo/game.ts";
import { rules } from "../demo/rules.ts";
import { createHarness, type Harness, type LinkOptions } from "../test/harness/index.ts";

export interface ShotsRequest {
  /** Shots to count. */
  readonly shots: number;
  /** Whether the room looks back at what the shooter saw. */
  readonly compensate: boolean;
  readonly link: LinkOptions;
  readonly seed: number;
}

export interface ShotsReport {
  /** Shots that a screen showed as hits. */
  readonly shots: number;
  /** Of these, how many hit the one that the screen showed. */
  readonly hits: number;
  /** Metres between where the screen showed the target and where the room found it, at most. */
  readonly farthestMetres: number;
}

interface Drawn {
  readonly owner: number;
  readonly x: number;
  readonly y: number;
}

interface Expected {
  readonly owner: number;
  readonly at: Drawn;
}

const SHOOTERS = 4;
const BOTS = 10;
const FRAME_MS = 1000 / 60;
const SETTLING_MS = 4000;

/** 500 shots at 250 ms round trip, and as many without lag compensation. */
export function measureShots(progress: (text: string) => void) {
  const request = { shots: 500, link: { latencyMs: 125 }, seed: 1 };
  progress("with lag compensation");
  const on = shootAtWhatIsSeen({ ...request, compensate: true });
  progress("without");
  const off = shootAtWhatIsSeen({ ...request, compensate: false });
  return {
    lagCompensation: {
      shots: on.shots,
      hitsOn: on.hits,
      hitsOff: Math.round((off.hits * on.shots) / off.shots),
    },
  };
}

/** Plays until so many shots are judged. @throws Error when that takes longer than an hour of play */
export function shootAtWhatIsSeen(request: ShotsRequest): ShotsReport {
  const { shots, link, seed } = request;
  const harness = createHarness<Arena>({
    game: arena,
    hooks: rules,
    clients: SHOOTERS,
    roomOptions: { bots: BOTS },
    link,
    seed,
  });
  harness.untilJoined();
  harness.advance(SETTLING_MS);
  const shooters = harness.clients.map((_, index) => new Shooter(harness, index, request.compensate));
  for (let ms = 0; sum(shooters, ({ judged }) => judged) < shots; ms += FRAME_MS) {
    if (ms > 3_600_000) throw new Error("an hour of play, and still not enough shots");
    for (const shooter of shooters) shooter.pull();
    harness.advance(FRAME_MS);
  }
  return {
    shots: sum(shooters, ({ judged }) => judged),
    hits: sum(shooters, ({ hits }) => hits),
    farthestMetres: Math.max(...shooters.map(({ farthestMetres }) => farthestMetres)),
  };
}

class Shooter {
  readonly #harness: Harness<Arena>;
  readonly #index: number;
  readonly #live: boolean;
  /** What the page showed when it asked for a shot, in the order of asking. */
  readonly #drawn: (readonly Drawn[])[] = [];
  readonly #expected = new Map<number, Expected>();
  judged = 0;
  hits = 0;
  farthestMetres = 0;

  constructor(harness: Harness<Arena>, index: number, compensate: boolean) {
    this.#harness = harness;
    this.#index = index;
    this.#live = !compensate;
    const { core } = harness.client(index);
    core.effects.on<ShotSight>("shot", { play: ({ seq, data }) => this.#foresee(seq, data) });
    core.receipts.on("fire", (receipt) => {
      const expected = this.#expected.get(receipt.seq);
      if (!expected || receipt.status !== "settled") return;
      this.#expected.delete(receipt.seq);
      this.judged++;
      const { hit, seen } = receipt.result;
      if (hit === expected.owner) this.hits++;
      if (seen && hit === expected.owner) {
        const metres = Math.hypot(seen.x - expected.at.x, seen.y - expected.at.y);
        this.farthestMetres = Math.max(this.farthestMetres, metres);
      }
    });
  }

  /** Aims at somebody whom the page shows, when the gun is ready. */
  pull(): void {
    const { view, actions } = this.#harness.client(this.#index);
    const { own } = view;
    if (!own || own.gun.cooldown > 0 || own.gun.paint === 0) return;
    const others: Drawn[] = [];
    for (const { owner, pose } of view.all("player")) {
      if (owner !== own.owner) others.push({ owner, x: pose.x, y: pose.y });
    }
    const [nearest] = others.toSorted((a, b) => far(a, own.pose) - far(b, own.pose));
    if (!nearest || far(nearest, own.pose) > 12) return;
    this.#drawn.push(others);
    const aim = Math.atan2(nearest.y - own.pose.y, nearest.x - own.pose.x);
    actions.fire({ aim, live: this.#live });
  }

  #foresee(seq: number, path: ShotSight): void {
    const drawn = this.#drawn.shift() ?? [];
    let first: { readonly at: Drawn; readonly metres: number } | undefined;
    for (const at of drawn) {
      const metres = metresToPlayer(path, at);
      if (metres < path.reach && metres < (first?.metres ?? Number.POSITIVE_INFINITY)) first = { at, metres };
    }
    if (first) this.#expected.set(seq, { owner: first.at.owner, at: first.at });
  }
}

function far(a: { readonly x: number; readonly y: number }, b: { readonly x: number; readonly y: number }) {
  return Math.hypot(a.x - b.x, a.y - b.y);
}

function sum<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((total, item) => total + of(item), 0);
}
