import { describe, expect, it } from "vitest";
import { predictedAfter } from "../../../client-sdk/index.ts";
import { RoomWorld, type SeatId, type World } from "../../../sim/index.ts";
import { createHarness, type Harness } from "../../harness/index.ts";
import { loosePitch, type Pitch, pitch, pitchHooks } from "./pitch.ts";

const RTT_MS = [0, 60, 120, 200, 300];

function kickOff(rttMs: number, clients = 1, game = pitch): Harness<Pitch> {
  const harness = createHarness({
    game,
    hooks: pitchHooks,
    clients,
    link: { latencyMs: rttMs / 2 },
  });
  harness.untilJoined();
  harness.advance(500);
  return harness;
}

const ballOf = (harness: Harness<Pitch>) => [...harness.room.world.all("ball")][0];
const shown = (harness: Harness<Pitch>, client = 0) => [...harness.client(client).view.all("ball")][0];

/** Where the ball is drawn in each frame while something goes on: the largest step, and the last place. */
function watch(harness: Harness<Pitch>, ms: number, act?: (frame: number) => void) {
  let largestStep = 0;
  let last = shown(harness)?.pose.x ?? 0;
  for (let frame = 0; frame < ms / (1000 / 60); frame++) {
    act?.(frame);
    harness.advance(1000 / 60);
    const x = shown(harness)?.pose.x ?? Number.NaN;
    largestStep = Math.max(largestStep, Math.abs(x - last));
    last = x;
  }
  return { largestStep, last };
}

describe("islands", () => {
  it.each(RTT_MS)(
    "[P5] the player and the ball that it pushes are predicted together: no correction at %i ms",
    (rttMs) => {
      const harness = kickOff(rttMs);
      const [client] = harness.clients;
      client?.input.set({ moveX: 1 });
      harness.until(() => (ballOf(harness)?.touches.count ?? 0) > 0, { what: "the first touch" });
      harness.advance(1000);
      expect(ballOf(harness)?.touches.count).toBeGreaterThan(1);
      client?.input.set({ moveX: 0 });
      harness.settle();
      expect(ballOf(harness)?.pose.x).toBeGreaterThan(1);
      expect(client?.stats()).toMatchObject({ corrections: 0, hardApplies: 0 });
      expect(harness.disagreements()).toEqual([]);
    },
  );

  it("[P5] restores and replays both from the same boundary when the room says otherwise", () => {
    const harness = kickOff(200);
    const [client] = harness.clients;
    client?.input.set({ moveX: 1 });
    harness.until(() => (ballOf(harness)?.touches.count ?? 0) > 0, { what: "the first touch" });
    const ball = ballOf(harness);
    if (ball) ball.touches.count += 5;
    const before = client?.stats().corrections ?? 0;
    harness.advance(1500);
    expect(client?.stats().corrections).toBeGreaterThan(before);
    client?.input.set({ moveX: 0 });
    harness.settle();
    expect(harness.disagreements()).toEqual([]);
  });

  it("[P4] [P5] leaves a member alone that is within its tolerances, and corrects one that isn't", () => {
    const harness = kickOff(120, 1, loosePitch);
    const [client] = harness.clients;
    const ball = ballOf(harness);
    if (!ball || !client) throw new Error("no ball");
    ball.island = client.seat as SeatId;
    harness.advance(500);
    const { replayedTicks, corrections } = client.stats();
    ball.pose.x += 0.03;
    harness.advance(500);
    expect(client.stats()).toMatchObject({ replayedTicks, corrections });
    ball.pose.x += 0.2;
    harness.advance(500);
    expect(client.stats().corrections).toBe(corrections + 1);
    expect(client.stats().lastCorrectionDistance).toBeCloseTo(0.23, 2);
  });

  it("[P5] a member comes exactly to its seat's client, and is a stranger's past to everybody else's", () => {
    const harness = kickOff(0, 2);
    const [near, far] = harness.clients;
    near?.input.set({ moveX: 1 });
    harness.until(() => ballOf(harness)?.island === near?.seat, { what: "the island" });
    harness.advance(300);
    const id = ballOf(harness)?.id ?? 0;
    const predicts = (client: typeof near) =>
      client && predictedAfter(client.core, client.newestSeq)?.rows.some((row) => row.id === id);
    expect(predicts(near)).toBe(true);
    expect(predicts(far)).toBe(false);
    expect(shown(harness, 1)?.pose.x).toBeDefined();
  });

  it("[P5] counts from the boundary after the change, and ends with the seat", () => {
    const harness = kickOff(0);
    const [client] = harness.clients;
    client?.input.set({ moveX: 1 });
    harness.until(() => ballOf(harness)?.island === client?.seat, { what: "the island" });
    const ball = ballOf(harness);
    client?.leave();
    harness.advance(200);
    expect(harness.room.world.count).toBe(1);
    expect(ball?.alive).toBe(true);
    expect(ball?.island).toBe(0);
  });

  it("[P5] another seat's entity is never a member", () => {
    const world = new RoomWorld(pitch, 1);
    const [one, two] = [1 as SeatId, 2 as SeatId];
    world.spawn("ball", {}, { owner: one });
    world.commitStructure();
    const [ball] = world.all("ball");
    if (!ball) throw new Error("no ball");
    expect(() => {
      ball.island = two;
    }).toThrow(RangeError);
    ball.island = one;
    ball.owner = two;
    expect(ball.island).toBe(0);
    expect([...world.predictedBy(two)]).toEqual([]);
  });

  it("[P5] who belongs to an island isn't decided in a predicted phase, where the two sides would part ways", () => {
    const world = new RoomWorld({ ...pitch, spec: { ...pitch.spec, systems: { physics: [claim] } } }, 1);
    function claim({ world: inner }: { world: World<Pitch> }) {
      for (const ball of inner.all("ball")) ball.island = 1 as SeatId;
    }
    world.spawn("ball");
    expect(() => world.step(new Map())).toThrow(/gameplay phase/);
  });

  it("[P5] [D3] membership survives a crash of the room", () => {
    const harness = kickOff(60);
    const [client] = harness.clients;
    client?.input.set({ moveX: 1 });
    harness.until(() => (ballOf(harness)?.touches.count ?? 0) > 0, { what: "the first touch" });
    client?.input.set({ moveX: 0 });
    harness.advance(100);
    expect(ballOf(harness)?.island).toBe(client?.seat);
    harness.crashRoom();
    harness.until(() => client?.stats().incarnation === 2, { what: "the second incarnation" });
    expect(ballOf(harness)?.island).toBe(client?.seat);
    harness.settle();
    expect(harness.disagreements()).toEqual([]);
    expect(harness.ledgerProblems()).toEqual([]);
  });
});

describe("a ball on the screen", () => {
  /** A ball that rolls at 4 m/s whatever happens, far from the player: only the room's word moves it between times. */
  function rolling(rttMs: number) {
    const harness = kickOff(rttMs, 1, loosePitch);
    const [client] = harness.clients;
    const ball = ballOf(harness);
    if (!ball || !client) throw new Error("no ball");
    const step = () => {
      ball.pose.vx = 4;
    };
    const member = () =>
      predictedAfter(client.core, client.newestSeq)?.rows.some(({ id }) => id === ball.id) ?? false;
    watch(harness, 600, step);
    return { harness, client, ball, step, member };
  }
  // A frame's own motion, and the share of the time shift that glides away in one frame.
  const limitOf = (rttMs: number) => 4 / 60 + 4 * ((rttMs + 250) / 1000) * (1 - 2 ** (-1 / 6)) + 0.02;

  it.each(RTT_MS)("[P5] [V2] enters and leaves an island without a jump at %i ms", (rttMs) => {
    const { harness, client, ball, step, member } = rolling(rttMs);
    for (const seat of [client.seat, 0, client.seat]) {
      ball.island = seat as SeatId;
      const { largestStep, last } = watch(harness, 1500, step);
      expect(largestStep).toBeLessThan(limitOf(rttMs));
      expect(member()).toBe(seat !== 0);
      // And it has arrived: ahead of the room by the lead, or behind it by the delay of what is shown.
      const ahead = last - ball.pose.x;
      expect(seat === 0 ? -ahead : ahead).toBeGreaterThan(-0.4);
    }
  });

  it.each([
    ["the island ends while we are away", 0],
    ["it goes on", 1],
  ])("[P5] [V2] doesn't jump over a reconnect when %s", (_, share) => {
    const { harness, client, ball, step, member } = rolling(120);
    ball.island = client.seat as SeatId;
    watch(harness, 1000, step);
    harness.dropConnection(client, { forMs: 300 });
    ball.island = (client.seat * share) as SeatId;
    const { largestStep } = watch(harness, 2000, step);
    expect(client.status).toBe("joined");
    expect(member()).toBe(share === 1);
    // It stood still for the time that we were away, and catches up with that as with any correction.
    expect(largestStep).toBeLessThan(2 * limitOf(120 + 600));
  });
});
