import type { SavedSession, SessionStore } from "../../client-sdk/index.ts";

/** A saved session with everything that one can have. */
export function savedSession(seed: number): SavedSession {
  const receipt = {
    number: seed,
    session: 3,
    seq: 17,
    slot: 0,
    revision: 2,
    status: "settled",
    reason: "",
    result: { hit: [seed, null, "é"] },
    tick: 600,
  } as const;
  return {
    queue: {
      secret: new Uint8Array(32).fill(seed),
      inputSession: 3,
      nextSeq: 0xffff_fffe,
      incarnation: 2,
      commands: [{ seq: 0xffff_fffd, digest: 0xdead_beef, bytes: new Uint8Array([seed, 0, 255]) }],
    },
    actions: {
      actions: [
        { session: 3, seq: 17, slot: 0, receipt },
        { session: 3, seq: 18, slot: 1, receipt: undefined },
      ],
      cursors: [{ session: 3, cursor: seed, baselineId: 1 }],
    },
  };
}

/** Each with what it did wrong, if anything. */
export interface StoreCheck {
  readonly title: string;
  run(open: (name: string) => SessionStore): Promise<string | undefined>;
}

const same = (a: unknown, b: unknown) => describe(a) === describe(b);

function describe(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => (part instanceof Uint8Array ? [...part] : part)) ?? "";
}

const differs = (what: string, got: unknown, wanted: unknown) =>
  same(got, wanted) ? undefined : `${what}: ${describe(got)} instead of ${describe(wanted)}`;

/**
 * What every session store must do. It asserts with plain values, so that the same list runs on Node and inside a
 * page, where IndexedDB is.
 */
export const STORE_CHECKS: readonly StoreCheck[] = [
  {
    title: "has nothing before something was saved",
    run: async (open) => differs("load", await open("empty").load(), undefined),
  },
  {
    title: "gives back exactly what was saved last, both records of one save",
    async run(open) {
      const store = open("last");
      for (let i = 1; i <= 5; i++) await store.save(savedSession(i));
      return differs("load", await store.load(), savedSession(5));
    },
  },
  {
    title: "never shows one record of a save without the other, however many saves run at once",
    async run(open) {
      const store = open("together");
      const saves = Array.from({ length: 20 }, (_, i) => store.save(savedSession(i + 1)));
      for (let i = 0; i < 20; i++) {
        const loaded = await store.load();
        if (!loaded) continue;
        const torn = differs("cursor", loaded.actions.cursors[0]?.cursor, loaded.queue.commands[0]?.bytes[0]);
        if (torn) return torn;
      }
      await Promise.all(saves);
      return differs("load", await store.load(), savedSession(20));
    },
  },
  {
    title: "has nothing after it was cleared, also right after a save",
    async run(open) {
      const store = open("cleared");
      const saving = store.save(savedSession(1));
      await store.clear();
      await saving;
      return differs("load", await store.load(), undefined);
    },
  },
];
