import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fieldPlans } from "../../../client-sdk/field-plan.ts";
import { OwnDisplay } from "../../../client-sdk/own-display.ts";
import { RowSet } from "../../../client-sdk/row-set.ts";
import { RoomWorld, type SeatId, type World } from "../../../sim/index.ts";
import { createHarness } from "../../harness/index.ts";
import { loosePitch, type Pitch, pitchHooks } from "./pitch.ts";

/** What a correction may leave after 0.2 s: a fifth of the position tolerance of 5 cm. */
const SEEN = 0.01;
const SPEED = 5;
const TICK_MS = 1000 / 60;

/** A player who walks at 5 m/s, corrected now and then, drawn at some frame rate. */
class Walk {
  readonly #display = new OwnDisplay(fieldPlans(loosePitch.schema));
  readonly #world = new RoomWorld(loosePitch, 1);
  readonly #pair = { previous: new RowSet(), present: new RowSet() };
  readonly #pose = { values: new Float64Array(4), presence: 0, owner: 0, jumps: 0, stalled: false };
  #sinceTickMs = 0;

  constructor() {
    this.#world.spawn("player", {}, { owner: 1 as SeatId });
    this.#world.commitStructure();
    this.#tick();
    this.#tick();
  }

  get #player() {
    const [player] = this.#world.all("player");
    if (!player) throw new Error("no player");
    return player;
  }

  #tick(): void {
    this.#player.pose.x += SPEED / 60;
    [this.#pair.previous, this.#pair.present] = [this.#pair.present, this.#pair.previous];
    this.#pair.present.capture(this.#world as unknown as World);
  }

  frame(elapsedMs: number): void {
    this.#display.decay(elapsedMs);
    this.#sinceTickMs += elapsedMs;
    for (; this.#sinceTickMs >= TICK_MS; this.#sinceTickMs -= TICK_MS) this.#tick();
  }

  /** The room says that it is elsewhere; or it has been teleported there. */
  correct(dx: number, dy: number, teleported = false): void {
    const fraction = this.#sinceTickMs / TICK_MS;
    this.#display.hold(this.#pair, fraction);
    const { pose } = this.#player;
    pose.x += dx;
    pose.y += dy;
    if (teleported) this.#player.teleported();
    this.#pair.present.capture(this.#world as unknown as World);
    pose.x -= SPEED / 60;
    this.#pair.previous.capture(this.#world as unknown as World);
    pose.x += SPEED / 60;
    this.#display.settle(this.#pair, fraction);
  }

  drawn(): { x: number; y: number } {
    this.#display.pose(this.#pair, 0, this.#sinceTickMs / TICK_MS, this.#pose);
    return { x: this.#pose.values[0] ?? 0, y: this.#pose.values[1] ?? 0 };
  }

  truth(): { x: number; y: number } {
    const { x, y } = this.#player.pose;
    return { x: x - (SPEED / 60) * (1 - this.#sinceTickMs / TICK_MS), y };
  }
}

const apart = (a: { x: number; y: number }, b: { x: number; y: number }) => Math.hypot(a.x - b.x, a.y - b.y);
const shove = fc.double({ min: -2.5, max: 2.5, noNaN: true });

describe("a correction on the screen", () => {
  it.each([30, 60, 144])(
    "[V2] never jumps, and is within a centimetre of the truth 0.2 s after the last one, at %i fps",
    (fps) => {
      const corrections = fc.array(
        fc.record({ dx: shove, dy: shove, frames: fc.integer({ min: 0, max: 20 }) }),
        {
          minLength: 1,
          maxLength: 8,
        },
      );
      fc.assert(
        fc.property(corrections, (all) => {
          const walk = new Walk();
          const frameMs = 1000 / fps;
          const step = () => {
            const [before, off] = [walk.drawn(), apart(walk.drawn(), walk.truth())];
            walk.frame(frameMs);
            // The way of a frame, and no more than all of what was still to be glided.
            const limit = (SPEED * frameMs) / 1000 + off;
            expect(apart(walk.drawn(), before)).toBeLessThan(limit + 1e-4);
          };
          for (const { dx, dy, frames } of all) {
            const before = walk.drawn();
            // Together with what is left of the one before, further than this is a snap.
            const far = apart(walk.truth(), { x: before.x - dx, y: before.y - dy }) > 3.9;
            if (!far) {
              walk.correct(dx, dy);
              expect(apart(walk.drawn(), before)).toBeLessThan(1e-4);
            }
            for (let i = 0; i < frames; i++) step();
          }
          for (let ms = 0; ms < 200; ms += frameMs) step();
          expect(apart(walk.drawn(), walk.truth())).toBeLessThan(SEEN + 1e-4);
        }),
        { numRuns: 100 },
      );
    },
  );

  it("[V3] a teleport is drawn as one, however short, and takes what was still gliding with it", () => {
    const walk = new Walk();
    walk.correct(2, 0);
    walk.frame(10);
    walk.correct(0.3, 0, true);
    expect(apart(walk.drawn(), walk.truth())).toBeLessThan(1e-4);
  });

  it.each([30, 60, 144])("[V2] in a room at 200 ms, shoved about at rest, at %i fps", (frameRate) => {
    const harness = createHarness<Pitch>({
      game: loosePitch,
      hooks: pitchHooks,
      frameRate,
      link: { latencyMs: 100 },
    });
    harness.untilJoined();
    harness.advance(1500);
    const client = harness.client(0);
    const [player] = harness.room.world.all("player");
    if (!player) throw new Error("no player");
    let corrected = 0;
    client.on("correction", () => corrected++);
    for (const [dx, dy] of [
      [0.2, 0],
      [-1, 0.5],
      [2.5, -2.5],
      [0, 3.5],
    ] as const) {
      const before = corrected;
      player.pose.x += dx;
      player.pose.y += dy;
      const drawn = { ...client.view.own?.pose } as { x: number; y: number };
      harness.until(() => corrected > before, { what: "the correction" });
      // Before the next frame is drawn nothing has moved; after it only a share of the way is done.
      harness.advance(1000 / frameRate);
      const next = client.view.own?.pose ?? drawn;
      expect(apart(next, drawn)).toBeLessThan(0.8 * Math.hypot(dx, dy));
      harness.advance(200);
      const values = harness.predictedEntity(0)?.values;
      const truth = { x: values?.["pose.x"] ?? Number.NaN, y: values?.["pose.y"] ?? Number.NaN };
      expect(apart(client.view.own?.pose ?? drawn, truth)).toBeLessThan(SEEN);
      harness.advance(500);
    }
  });
});
