import { type Game, type GameShape, neutralCommand } from "../../sim/index.ts";
import type { HarnessClient } from "./client.ts";

export interface SettleRequest<S extends GameShape> {
  readonly game: Game<S>;
  readonly clients: readonly HarnessClient<S>[];
  readonly nowMs: () => number;
  /** Lets time pass until something is true. */
  readonly wait: (done: () => boolean) => void;
}

/** How long nothing may be corrected or missed. */
const QUIET_MS = 1000;

/** Waits until nothing is open between the room and its clients, who touch nothing meanwhile. */
export function settle<S extends GameShape>({ game, clients, nowMs, wait }: SettleRequest<S>): void {
  const here = clients.filter(({ status }) => status !== "closed");
  for (const { input } of here) input.set(neutralCommand<S>(game.schema));
  wait(() => here.every(({ status }) => status === "joined"));
  const targets = here.map((client) => ({ client, seq: client.newestSeq }));
  wait(() => targets.every(({ client, seq }) => client.stats().durable >= seq));
  let quietSinceMs = nowMs();
  let before = "";
  wait(() => {
    const now = unrest(here);
    if (now !== before) quietSinceMs = nowMs();
    before = now;
    return nowMs() - quietSinceMs >= QUIET_MS;
  });
}

/** Everything that counts up while client and room aren't of one mind. */
function unrest<S extends GameShape>(clients: readonly HarnessClient<S>[]): string {
  const figures = clients.map((client) => {
    const { corrections, missedInputs, reanchors, hardApplies } = client.stats();
    return [corrections, missedInputs, reanchors, hardApplies];
  });
  return JSON.stringify(figures);
}
