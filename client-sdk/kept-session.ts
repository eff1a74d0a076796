import { IndexedSessionStore } from "./indexed-store.ts";
import type { SavedSession, SessionStore } from "./session-store.ts";

/** How long a page waits for the session that it had before a reload: the page before may still be on its way out. */
const HANDOVER_MS = 1000;
/** Tabs of one browser in one room that can be told apart. */
const PLACES = 32;

/** The parts of a browser that keep a session; passed in, so that a test can be the browser. */
export interface Browser {
  readonly locks: Pick<LockManager, "request">;
  /** Lasts as long as a tab, also over its reloads. */
  readonly tab: Pick<Storage, "getItem" | "setItem">;
  readonly open: (name: string) => SessionStore;
}

export interface KeptSession {
  readonly store: SessionStore;
  /** Of the seat, also where the queue can't be read. */
  readonly secret: Uint8Array | undefined;
  readonly saved: SavedSession | undefined;
  /** Lets another tab have it. */
  release(): void;
}

/**
 * Finds the session that this tab had before its reload, or a place to keep a new one, and locks it: two tabs that
 * go on in one session would give the same numbers to different commands [S3]. Each tab has a seat of its own.
 * @param name of the room
 * @param build of the game: what another one has kept is no queue of ours, but the seat is [W2]
 */
export async function openKeptSession(
  name: string,
  build: string,
  browser: Browser = thisBrowser(),
): Promise<KeptSession> {
  const mine = Number(browser.tab.getItem(name) ?? -1);
  const places = Array.from({ length: PLACES }, (_, place) => place).filter((place) => place !== mine);
  for (const place of mine >= 0 ? [mine, ...places] : places) {
    const release = await lock(browser, `${name} ${place}`, place === mine ? HANDOVER_MS : 0);
    if (!release) continue;
    const inner = browser.open(`${name} ${place}`);
    const store: SessionStore = {
      load: () => inner.load(),
      save: ({ queue, actions }) => inner.save({ queue: { ...queue, build }, actions }),
      clear: () => inner.clear(),
    };
    try {
      const kept = await store.load();
      browser.tab.setItem(name, String(place));
      const saved = kept?.queue.build === build ? kept : undefined;
      return { store, secret: kept?.queue.secret, saved, release };
    } catch (error) {
      release();
      throw error;
    }
  }
  throw new Error(`more than ${PLACES} tabs are in this room`);
}

/** Resolves with what gives the lock back, or with undefined when another tab has it and keeps it. */
function lock(browser: Browser, name: string, waitMs: number): Promise<(() => void) | undefined> {
  return new Promise((resolve, reject) => {
    const options = waitMs > 0 ? { signal: AbortSignal.timeout(waitMs) } : { ifAvailable: true };
    const held = (granted: Lock | null) => {
      if (!granted) return resolve(undefined);
      return new Promise<void>((release) => resolve(release));
    };
    browser.locks.request(name, options, held).catch((error: unknown) => {
      if (error instanceof DOMException && error.name === "TimeoutError") resolve(undefined);
      else reject(error as Error);
    });
  });
}

function thisBrowser(): Browser {
  return { locks: navigator.locks, tab: sessionStorage, open: (name) => new IndexedSessionStore(name) };
}
