/// <reference lib="dom" />
import type { SavedSession } from "../../../client-sdk/index.ts";
import { IndexedSessionStore } from "../../../client-sdk/indexed-store.ts";
import { openKeptSession } from "../../../client-sdk/kept-session.ts";
import { STORE_CHECKS, savedSession } from "../../contract/session-store.ts";

export interface StorePage {
  /** What a store check has found wrong, if anything. */
  check(title: string): Promise<string | undefined>;
  /** Opens this tab's session in a room; gives the secret's first byte of what was saved, if anything was. */
  open(): Promise<number | undefined>;
  save(seed: number): Promise<void>;
}

declare global {
  var storePage: StorePage;
}

let kept: Awaited<ReturnType<typeof openKeptSession>> | undefined;

globalThis.storePage = {
  check(title) {
    const found = STORE_CHECKS.find((check) => check.title === title);
    if (!found) throw new Error(`no check "${title}"`);
    return found.run((name) => new IndexedSessionStore(`${title} ${name}`));
  },
  async open() {
    kept = await openKeptSession("line:a", "1");
    return (kept.saved as SavedSession | undefined)?.queue.secret[0];
  },
  async save(seed) {
    await kept?.store.save(savedSession(seed));
  },
};
