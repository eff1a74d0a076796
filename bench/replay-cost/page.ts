/** Runs in Chromium: see ../replay-cost.ts. */
import { arena } from "../../demo/game.ts";
import { rules as arenaRules } from "../../demo/rules.ts";
import { yard } from "../../demo/yard/game.ts";
import { startRapier } from "../../demo/yard/rapier.ts";
import { rules as yardRules } from "../../demo/yard/rules.ts";
import { type ReplayCost, replayCost } from "../../test/harness/index.ts";

export interface ReplayCosts {
  readonly arena: ReplayCost;
  readonly yard: ReplayCost;
}

/** Both games' players replayed, in this engine. */
export async function measureReplays(rapier: readonly number[]): Promise<ReplayCosts> {
  startRapier(await WebAssembly.compile(Uint8Array.from(rapier)));
  const stopwatch = () => performance.now();
  return {
    arena: replayCost({
      game: arena,
      hooks: arenaRules,
      roomOptions: { bots: 6 },
      stopwatch,
      play: ({ input }, round) => input.set({ moveX: Math.cos(round / 9), moveY: Math.sin(round / 9) }),
    }),
    yard: replayCost({
      game: yard,
      hooks: yardRules,
      roomOptions: { bots: 1 },
      stopwatch,
      rounds: 200,
      play: ({ input }, round) => input.set({ move: round % 40 < 20 ? 1 : -1 }),
    }),
  };
}
