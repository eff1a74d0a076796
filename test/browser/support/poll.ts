import { setTimeout as wait } from "node:timers/promises";

/** Asks again and again until the answer is one (neither undefined nor false). */
export async function until<T>(
  what: string,
  ask: () => T | Promise<T>,
  { withinMs = 20_000, everyMs = 50 }: { withinMs?: number; everyMs?: number } = {},
): Promise<Exclude<T, undefined | false>> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer as Exclude<T, undefined | false>;
    if (Date.now() > deadline) throw new Error(`waited ${withinMs} ms for ${what}, in vain`);
    await wait(everyMs);
  }
}
