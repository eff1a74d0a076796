import { type Game, type GameShape, neutralCommand } from "../../sim/index.ts";
import type { HarnessClient } from "./client.ts";

export interface SettleRequest<S extends GameShape> {
  readonly game: Game<S>;
  readonly clients: readonly HarnessClient<S>[];
  /** Lets some time pass. */
  readonly advance: (ms: number) => void;
  /** Whether the room's last boundary is stored. */
  readonly isStored: () => boolean;
  /** @throws Error that says how everybody is */
  readonly giveUp: () => never;
  readonly withinMs: number;
}

/** How long nothing may be corrected or missed. */
const QUIET_MS = 1000;
const STEP_MS = 25;

/** Waits until nothing is open between the room and its clients, who touch nothing meanwhile. */
export function settle<S extends GameShape>(request: SettleRequest<S>): void {
  const { game, clients, advance, giveUp } = request;
  const here = clients.filter(({ status }) => status !== "closed");
  let leftMs = request.withinMs;
  const step = () => {
    if (leftMs <= 0) giveUp();
    leftMs -= STEP_MS;
    advance(STEP_MS);
  };
  for (const { input } of here) input.set(neutralCommand<S>(game.schema));
  while (here.some(({ status }) => status !== "joined")) step();
  // A session that ends meanwhile takes its numbers along.
  const targets = here.map((client) => ({ client, seq: client.newestSeq, epoch: client.stats().epoch }));
  const isOpen = ({ client, seq, epoch }: (typeof targets)[number]) =>
    client.stats().epoch === epoch && client.stats().durable < seq;
  while (targets.some(isOpen)) step();
  let before = unrest(here);
  for (let quietMs = 0; quietMs < QUIET_MS; quietMs += STEP_MS) {
    step();
    const now = unrest(here);
    if (now !== before) quietMs = -STEP_MS;
    before = now;
  }
  while (!request.isStored()) step();
}

/** Everything that counts up while client and room aren't of one mind. */
function unrest<S extends GameShape>(clients: readonly HarnessClient<S>[]): string {
  const figures = clients.map((client) => {
    const { corrections, missedInputs, reanchors, hardApplies } = client.stats();
    return [corrections, missedInputs, reanchors, hardApplies];
  });
  return JSON.stringify(figures);
}
