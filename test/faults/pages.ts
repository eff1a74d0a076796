import type { ActionHandle, ActionReceipt } from "../../client-sdk/index.ts";
import type { HarnessClient } from "../harness/index.ts";
import type { Range } from "./game.ts";

type Core = HarnessClient<Range>["core"];

/** What one page has seen of its actions. */
export interface PageLog {
  readonly client: number;
  readonly handles: ActionHandle<Range>[];
  readonly receipts: ActionReceipt<Range>[];
  /** Times that an effect was played, less those that it was cancelled, by identity. */
  readonly effects: Map<string, number>;
  /** Problems that the client itself told. */
  readonly faults: unknown[];
  readonly voids: unknown[];
}

export function identityOf(at: { session: number; seq: number; slot: number }): string {
  return `${at.session}/${at.seq}/${at.slot}`;
}

/** Listens in a page from its beginning. */
export function watchPage(client: number, core: Core): PageLog {
  const log: PageLog = { client, handles: [], receipts: [], effects: new Map(), faults: [], voids: [] };
  for (const name of ["fire", "wave", "buy"] as const) {
    core.receipts.on(name, (receipt) => log.receipts.push(receipt));
  }
  const count = (by: number) => (effect: { session: number; seq: number; slot: number }) => {
    const key = identityOf(effect);
    log.effects.set(key, (log.effects.get(key) ?? 0) + by);
  };
  core.effects.on("muzzle", { play: count(1), cancel: count(-1) });
  core.on("fault", ({ error }) => log.faults.push(error));
  core.on("void", (detail) => log.voids.push(detail));
  return log;
}
