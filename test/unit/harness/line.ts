import { predictedAfter } from "../../../client-sdk/index.ts";
import { decodeRoom, encodeRoom } from "../../../protocol/index.ts";
import type { RoomHooks } from "../../../room/core/index.ts";
import { axis, defineGame, fragment, int, num, press, type ShapeOf } from "../../../sim/index.ts";
import { createHarness, type Harness, type HarnessClient } from "../../harness/index.ts";

/** Where the room, and it alone, puts a walker when told to: what the client can't predict. */
const SECRET_PLACES = { line: 5, "walled-line": 8 };

function lineGame(name: keyof typeof SECRET_PLACES, metresPerStep: number, wall: number) {
  return defineGame({
    name,
    version: 1,
    tickRate: 60,
    missingInput: { rule: "neutral" },
    // In 127ths of full deflection, so that whole steps are exact.
    input: { steps: axis(), poke: press() },
    fragments: {
      place: fragment({ x: num({ step: 1 / 1024, tolerance: 0.05 }) }),
      // Compared exactly: a poke is a correction even where the walker already stands there.
      secret: fragment({ pokes: int({ min: 0, max: 100 }) }),
    },
    archetypes: { walker: { fragments: ["place", "secret"], predict: "owner", snapDistance: 1000 } },
    systems: {
      input: [
        ({ driven }) => {
          for (const { entity, command } of driven("walker")) {
            const { place } = entity;
            place.x = Math.min(wall, place.x + Math.round(command.steps * 127) * metresPerStep);
          }
        },
      ],
      gameplay: [
        ({ driven }) => {
          for (const { entity, command } of driven("walker")) {
            if (!command.poke) continue;
            if (entity.secret.pokes === 0) entity.place.x = SECRET_PLACES[name];
            entity.secret.pokes++;
          }
        },
      ],
    },
  });
}

/** A line without end; a step is 0.1 m. */
export const line = lineGame("line", 0.1, Number.POSITIVE_INFINITY);
/** A wall at 10 m; a step is 1 m. */
const walledLine = lineGame("walled-line", 1, 10);

export type Line = ShapeOf<typeof line>;

export function lineHooks(x: number): RoomHooks<Line> {
  return {
    onJoin(seat) {
      seat.spawn("walker", { place: { x } });
    },
  };
}

/** A walker of a harness, and the commands that it makes one by one. */
export class Walker {
  readonly harness: Harness<Line>;
  readonly client: HarnessClient<Line>;

  constructor(harness: Harness<Line>) {
    this.harness = harness;
    this.client = harness.client(0);
  }

  /** Stands still until the next command to be made is `seq`. */
  idleUntil(seq: number): void {
    this.make(0);
    while (this.client.newestSeq < seq - 1) this.make(0);
  }

  /** Makes one command. */
  make(steps: number, poke = false): void {
    const seq = this.client.newestSeq + 1;
    this.client.input.set({ steps: steps / 127 });
    if (poke) this.client.input.press("poke");
    this.harness.until(() => this.client.newestSeq === seq, { what: `command ${seq}` });
    // What it sent arrives in the same instant.
    this.harness.advance(0);
  }

  /** Hands over held snapshots one by one until one answers `seq`; returns how many ticks that one replayed. */
  takeSnapshotsUntil(seq: number): number {
    let replayedBefore = 0;
    for (let waited = 0; this.client.stats().consumed < seq; waited++) {
      if (waited > 200) throw new Error(`no snapshot answers command ${seq}`);
      if (this.client.down.held === 0) this.harness.advance(1);
      replayedBefore = this.client.stats().replayedTicks;
      this.client.down.release(1);
      this.harness.advance(0);
    }
    return this.client.stats().replayedTicks - replayedBefore;
  }

  /** Where the walker was predicted to be after a command. */
  xAfter(seq: number): number | undefined {
    const state = predictedAfter(this.client.core, seq);
    const cell = state?.rows[0]?.cells.slice(0, 1);
    return cell && new Float32Array(cell.buffer)[0];
  }
}

/** A room in which this walker has already been, and whose next command is `nextSeq`. */
export function walkerAt(nextSeq: number, x: number): Walker {
  const options = { game: walledLine, hooks: lineHooks(x), windowTicks: 1, frameRate: 240, seed: 7 };
  const before = createHarness(options);
  before.untilJoined();
  const state = before.store.load()?.state;
  if (!state) throw new Error("the room wasn't stored");
  const room = decodeRoom(state, walledLine);
  const seats = room.seats.map((seat) => ({
    ...seat,
    sessions: seat.sessions.map((session) => ({ ...session, consumed: nextSeq - 1 })),
    digests: new Uint32Array(0),
    dispositions: new Uint8Array(0),
  }));
  const session = seats[0]?.sessions[0];
  if (!session) throw new Error("the room has no seat with an input session");
  const harness = createHarness({ ...options, clients: 0, stored: encodeRoom({ ...room, seats }) });
  harness.join({ resume: { inputSession: session.inputSession, nextSeq } });
  const walker = new Walker(harness);
  // A client begins with several commands at once, so that the room's buffer isn't empty.
  harness.until(() => walker.client.newestSeq >= nextSeq, { what: "the first commands" });
  return walker;
}
