import type { GameShape } from "../../sim/index.ts";
import { createHarness } from "./harness.ts";
import type { HarnessOptions } from "./options.ts";

/** What it costs a page to compute the last `ticks` ticks again. */
export interface ReplayCost {
  readonly ticks: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
}

export interface ReplayCostOptions<S extends GameShape>
  extends Pick<HarnessOptions<S>, "game" | "hooks" | "roomOptions"> {
  /** Milliseconds of a real clock: `performance.now`. */
  readonly stopwatch: () => number;
  /** *Default* 64: a round trip of about a second. */
  readonly ticks?: number;
  /** Replays that are timed, after a quarter as many that aren't. *Default* 400. */
  readonly rounds?: number;
  /** What the player does meanwhile. */
  readonly play?: (client: ReturnType<typeof createHarness<S>>["clients"][number], round: number) => void;
}

/**
 * Times replays of a game's player with its externals, as they happen: the room says at every boundary that the
 * player's luck is another, so that everything since is computed again. Runs in browsers too.
 */
export function replayCost<S extends GameShape>(options: ReplayCostOptions<S>): ReplayCost {
  const { stopwatch, ticks = 64, rounds = 400, play, ...rest } = options;
  const harness = createHarness<S>({
    ...rest,
    stopwatch,
    link: { latencyMs: (ticks * 1000) / rest.game.tickRate / 2 },
  });
  harness.untilJoined();
  const client = harness.client(0);
  const times: number[] = [];
  for (let round = -Math.floor(rounds / 4); round < rounds; ) {
    play?.(client, round);
    const before = client.stats();
    harness.room.world.setSeatRandomState(client.seat as never, 1 + (round & 0xffff));
    harness.until(() => client.stats().replayedTicks > before.replayedTicks, { what: "a replay" });
    const after = client.stats();
    const replayed = after.replayedTicks - before.replayedTicks;
    // Anything shorter, as before the buffer is full, would be multiplied by its fixed costs.
    if (replayed < ticks / 2) continue;
    if (round++ >= 0) times.push(((after.replayMs - before.replayMs) * ticks) / replayed);
  }
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.ceil(times.length * share) - 1] ?? Number.NaN;
  return { ticks, p50Ms: at(0.5), p95Ms: at(0.95) };
}
