import { beforeAll, describe, expect, it } from "vitest";
import type { LedgerRow, ReceiptRow } from "../../../protocol/index.ts";
import { type Evidence, judge, playSchedule, reportOf, type Schedule } from "../../faults/index.ts";
import { randomFor } from "../../harness/index.ts";

const QUIET: Schedule = {
  seed: 5,
  clients: 1,
  commitEvery: 1,
  windowTicks: 3,
  firstSeq: 1,
  links: [{ latencyMs: 20 }],
  steps: Array.from({ length: 6 }, (_, at) => ({
    forMs: 400,
    controls: [
      {
        client: 0,
        moveX: Math.cos(at),
        moveY: Math.sin(at),
        brace: false,
        aim: 1.3,
        actions: ["fire", "buy", "wave"],
      },
    ],
    faults: [],
  })),
};

interface Forged {
  readonly ledgerRows?: readonly LedgerRow[];
  readonly receiptRows?: readonly ReceiptRow[];
  readonly charges?: ReadonlyMap<string, number>;
  readonly pages?: Evidence["pages"];
}

let evidence: Evidence;

beforeAll(async () => {
  evidence = await playSchedule(QUIET);
});

/** The same run with something about it changed. */
function forged({ ledgerRows, receiptRows, charges, pages }: Forged): Evidence {
  const { harness, wallet, schedule } = evidence;
  const { store } = harness;
  const changed = {
    clients: harness.clients,
    store: {
      firstCheckpoint: store.firstCheckpoint,
      ledgerRows: ledgerRows ?? store.ledgerRows,
      receiptRows: receiptRows ?? store.receiptRows,
      load: () => store.load(),
    },
    ledgerProblems: () => harness.ledgerProblems(),
    disagreements: () => harness.disagreements(),
    serverEntity: harness.serverEntity.bind(harness),
  };
  return {
    schedule,
    harness: changed as unknown as Evidence["harness"],
    wallet: { charges: charges ?? wallet.charges } as Evidence["wallet"],
    pages: pages ?? evidence.pages,
  };
}

describe("the judge of a run", () => {
  it("finds nothing in a run without faults, in which actions of each kind were settled", () => {
    expect(judge(forged({}))).toEqual({ lost: [], doubled: [], divergent: [] });
    const settled = evidence.harness.store.receiptRows.filter(({ receipt }) => receipt.status === "settled");
    expect(new Set(settled.map(({ receipt }) => receipt.slot))).toEqual(new Set([0, 1, 2]));
  });

  it("[A4] misses a receipt that wasn't stored, and sees one that was stored twice", () => {
    const { receiptRows } = evidence.harness.store;
    const [first] = receiptRows;
    expect(judge(forged({ receiptRows: receiptRows.slice(0, -1) })).lost).not.toEqual([]);
    expect(judge(forged({ receiptRows: [...receiptRows, first as ReceiptRow] })).doubled).not.toEqual([]);
  });

  it("[A2] sees a receipt whose content isn't what the client heard", () => {
    const receiptRows = evidence.harness.store.receiptRows.map((row, at) =>
      at === 0 ? { ...row, receipt: { ...row.receipt, tick: row.receipt.tick + 1 } } : row,
    );
    expect(judge(forged({ receiptRows })).divergent).not.toEqual([]);
  });

  it("[A3] sees a charge that nobody was promised, and misses one that a purchase was settled with", () => {
    const { charges } = evidence.wallet;
    expect(charges.size).toBeGreaterThan(0);
    const more = new Map([...charges, ["test:harness/1/9999/2", 5]] as const);
    expect(judge(forged({ charges: more })).doubled).not.toEqual([]);
    expect(judge(forged({ charges: new Map() })).lost).not.toEqual([]);
  });

  it("[D4] sees a history that comes to another state", () => {
    const ledgerRows = evidence.harness.store.ledgerRows.map((row, at) =>
      at === 20 ? { ...row, hash: row.hash ^ 1n } : row,
    );
    expect(judge(forged({ ledgerRows })).divergent).not.toEqual([]);
  });

  it("[A2] [P8] sees a page that heard something twice, or showed it twice", () => {
    const [page] = evidence.pages;
    if (!page) throw new Error("there was no page");
    const receipts = [...page.receipts, ...page.receipts.slice(-1)];
    expect(judge(forged({ pages: [{ ...page, receipts }] })).doubled).not.toEqual([]);
    const effects = new Map([...page.effects].map(([key, shown]) => [key, shown + 1]));
    expect(judge(forged({ pages: [{ ...page, effects }] })).doubled).not.toEqual([]);
    expect(judge(forged({ pages: [{ ...page, receipts: [] }] })).lost).not.toEqual([]);
  });

  it("counts problems over all runs, and names the seeds that fail", () => {
    const random = randomFor(1, "report");
    const found = { lost: ["a"], doubled: ["b", "c"], divergent: [] };
    const nothing = { lost: [], doubled: [], divergent: [] };
    const seeds = Array.from({ length: 5 }, () => Math.floor(random() * 1000));
    const results = seeds.map((seed, at) => ({ seed, verdict: at === 2 ? found : nothing }));
    expect(reportOf(7, results)).toEqual({
      runs: 5,
      seed: 7,
      lost: 1,
      doubled: 2,
      divergent: 0,
      failingSeeds: [seeds[2]],
    });
  });
});
