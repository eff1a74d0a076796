import { decodeRoom, encodeLedger, isFinal, type Receipt } from "../../protocol/index.ts";
import { replay } from "../../room/core/index.ts";
import type { HarnessClient } from "../harness/index.ts";
import { MAGAZINE, makeRange, type Range, rangeHooks, SHELLS } from "./game.ts";
import { identityOf, type PageLog } from "./pages.ts";
import type { Evidence } from "./run.ts";

/** What was found wrong with a run, in words. All empty: nothing. */
export interface Verdict {
  /** Promised, and not there. */
  readonly lost: readonly string[];
  /** Done twice, or done without having been promised. */
  readonly doubled: readonly string[];
  /** Two who must agree, and don't. */
  readonly divergent: readonly string[];
}

interface Findings {
  readonly lost: string[];
  readonly doubled: string[];
  readonly divergent: string[];
}

/** An action as the room recorded it. */
interface RecordedAction {
  readonly seat: number;
  readonly admitted: boolean;
  readonly receipts: Receipt[];
  /** Its seat ended before it did: its receipts are gone, and the ledger has its end. */
  left: boolean;
}

type Recorded = Map<string, RecordedAction>;

const BUY_SLOT = 2;

/** Holds everything that a run has left behind against everything else. */
export function judge(evidence: Evidence): Verdict {
  const found: Findings = { lost: [], doubled: [], divergent: [] };
  judgeLedger(evidence, found);
  const recorded = recordedActions(evidence, found);
  judgeReceipts(recorded, found);
  judgeWallet(evidence, recorded, found);
  judgeReplay(evidence, found);
  for (const page of evidence.pages) judgePage(page, recorded, found);
  const stayed = evidence.harness.clients.filter(({ left }) => !left);
  for (const client of stayed) judgeClient(client, evidence, recorded, found);
  found.divergent.push(...evidence.harness.disagreements());
  return found;
}

function judgeLedger({ harness }: Evidence, { lost, doubled, divergent }: Findings): void {
  for (const problem of harness.ledgerProblems()) {
    const which = /called durable|where \d+ was due/.test(problem)
      ? lost
      : /tick|ended at/.test(problem)
        ? doubled
        : divergent;
    which.push(problem);
  }
}

/** Every action slot that was consumed, and the receipts that were committed for it. */
function recordedActions({ harness }: Evidence, { lost, doubled, divergent }: Findings): Recorded {
  const recorded: Recorded = new Map();
  for (const { sessions } of harness.store.ledgerRows) {
    for (const { seat, inputSession: session, entries } of sessions) {
      for (const { seq, actions } of entries) {
        for (const { slot, disposition } of actions) {
          const key = identityOf({ session, seq, slot });
          if (recorded.has(key)) doubled.push(`action ${key} has two dispositions`);
          recorded.set(key, { seat, admitted: disposition === "admitted", receipts: [], left: false });
        }
      }
    }
  }
  for (const { finished } of harness.store.ledgerRows) {
    for (const { outcome, ...id } of finished) {
      const action = recorded.get(identityOf(id));
      if (!action?.admitted) divergent.push(`action ${identityOf(id)} ended, and was never admitted`);
      else if (outcome === "left") action.left = true;
    }
  }
  const heads = new Map<number, number>();
  for (const { receipt } of harness.store.receiptRows) {
    const { session, number } = receipt;
    const due = (heads.get(session) ?? 0) + 1;
    if (number < due) doubled.push(`receipt ${number} of session ${session} was stored twice`);
    if (number > due) lost.push(`receipt ${due} of session ${session} was never stored`);
    heads.set(session, number);
    const action = recorded.get(identityOf(receipt));
    if (action) action.receipts.push(receipt);
    else
      divergent.push(`receipt ${number} of session ${session} is of an action that the ledger doesn't have`);
  }
  return recorded;
}

function judgeReceipts(recorded: Recorded, { lost, doubled, divergent }: Findings): void {
  for (const [key, { admitted, receipts, left }] of recorded) {
    const finals = receipts.filter(isFinal);
    if (left && finals.length > 0) doubled.push(`action ${key} ended with its seat, and has a receipt`);
    if (finals.length === 0 && !left) lost.push(`action ${key} has no final receipt`);
    if (finals.length > 1) doubled.push(`action ${key} has ${finals.length} final receipts`);
    const [first] = receipts;
    if (first && (first.status === "rejected") === admitted) {
      divergent.push(
        `action ${key} is ${admitted ? "admitted" : "rejected"} in the ledger, ${first.status} in its receipt`,
      );
    }
    const revisions = receipts.map(({ revision }) => revision);
    if (revisions.some((revision, at) => at > 0 && revision <= (revisions[at - 1] ?? 0))) {
      divergent.push(`revisions of action ${key} are ${revisions}`);
    }
  }
}

/** What was charged for an action that failed must have been undone, and nothing else [A9]. */
function judgeWallet({ wallet }: Evidence, recorded: Recorded, { lost, doubled, divergent }: Findings): void {
  const charges = new Map(
    [...wallet.charges].map(([key, price]) => [key.split("/").slice(-3).join("/"), price]),
  );
  for (const key of charges.keys()) {
    const settled = recorded.get(key)?.receipts.some(({ status }) => status === "settled");
    if (!settled) doubled.push(`${key} is charged in the end, and isn't settled`);
  }
  for (const [key, { receipts }] of recorded) {
    const settled = receipts.find(({ status, slot }) => status === "settled" && slot === BUY_SLOT);
    if (!settled) continue;
    const { paid } = settled.result as { paid: number };
    if (!charges.has(key)) lost.push(`purchase ${key} is settled, and isn't charged in the end`);
    else if (charges.get(key) !== paid)
      divergent.push(`purchase ${key} says ${paid}, charged was ${charges.get(key)}`);
  }
}

/** The same history once more, without a crash: it must come to the same state at every commit [D4]. */
function judgeReplay({ harness }: Evidence, { divergent }: Findings): void {
  const { firstCheckpoint, ledgerRows } = harness.store;
  if (!firstCheckpoint) {
    divergent.push("no checkpoint was ever stored");
    return;
  }
  const game = makeRange(() => undefined);
  const { commit } = decodeRoom(firstCheckpoint, game);
  const ledger = ledgerRows.filter((row) => row.commit > commit).map((row) => encodeLedger(row));
  const recorded = { formatVersion: 1, roomName: "test:harness", checkpoints: [firstCheckpoint], ledger };
  const { agree, firstDifference } = replay<Range>({ game, hooks: rangeHooks(() => undefined), recorded });
  if (!agree) divergent.push(`an uncrashed run of the ledger differs: ${JSON.stringify(firstDifference)}`);
  const stored = harness.store.load()?.state;
  if (stored && decodeRoom(stored, game).hash !== ledgerRows.at(-1)?.hash) {
    divergent.push("the stored state isn't the ledger's last");
  }
}

/** What a page was told of its actions: each receipt once, in growing revisions, and as the room has it. */
function judgePage(page: PageLog, recorded: Recorded, { doubled, divergent }: Findings): void {
  const seen = new Map<string, number>();
  for (const receipt of page.receipts) {
    const key = identityOf(receipt);
    const before = seen.get(key) ?? 0;
    if (receipt.revision <= before)
      doubled.push(`page of ${page.client} heard revision ${receipt.revision} of ${key} after ${before}`);
    seen.set(key, receipt.revision);
    const own = recorded.get(key)?.receipts.find(({ revision }) => revision === receipt.revision);
    if (
      own?.status !== receipt.status ||
      own?.tick !== receipt.tick ||
      contentOf(own) !== contentOf(receipt)
    ) {
      divergent.push(
        `page of ${page.client} heard ${JSON.stringify(receipt)}, the room has ${JSON.stringify(own)}`,
      );
    }
  }
  for (const [key, shown] of page.effects) {
    if (shown > 1) doubled.push(`the muzzle of ${key} was shown ${shown} times`);
    if (shown < 0) divergent.push(`the muzzle of ${key} was cancelled and never shown`);
  }
  for (const error of page.faults) {
    const text = String(error);
    if (!text.includes("throws by chance") && !text.includes("process has ended"))
      divergent.push(`page of ${page.client}: ${text}`);
  }
}

/** Where a client stands in the end, with all that its pages were told. */
function judgeClient(
  client: HarnessClient<Range>,
  { harness, pages }: Evidence,
  recorded: Recorded,
  { lost, doubled, divergent }: Findings,
): void {
  const own = pages.filter((page) => page.client === client.index);
  const heard = new Set(
    own.flatMap(({ receipts }) => receipts.map((one) => `${identityOf(one)}:${one.status}`)),
  );
  let fired = 0;
  let bought = 0;
  for (const [key, { seat, admitted, receipts }] of recorded) {
    if (seat !== client.seat) continue;
    const final = receipts.find(isFinal);
    if (final && !heard.has(`${key}:${final.status}`))
      lost.push(`${client.name} never heard of ${key} ${final.status}`);
    if (admitted && key.endsWith("/0")) fired++;
    if (final?.status === "settled" && final.slot === BUY_SLOT) bought++;
  }
  const { values } = harness.serverEntity(client) ?? {};
  const ammo = MAGAZINE - fired + SHELLS * bought;
  if (values?.["gun.ammo"] !== ammo)
    divergent.push(`${client.name} has ${values?.["gun.ammo"]} shots, the ledger says ${ammo}`);
  const page = own.at(-1);
  for (const [key, shown] of page?.effects ?? []) {
    if (shown === 1 && recorded.get(key)?.admitted === false) {
      divergent.push(`the muzzle of ${key} stayed, and it was rejected`);
    }
  }
  for (const { action, identity, status } of page?.handles ?? []) {
    const record = identity && recorded.get(identityOf(identity));
    const final = record?.receipts.find(isFinal);
    if (final && final.status !== status)
      divergent.push(`${client.name}'s ${action} is ${status}, in the room ${final.status}`);
    if (!final && status !== "void")
      lost.push(`${client.name}'s ${action} is ${status}, and the room doesn't know it`);
    if (record && status === "void")
      doubled.push(`${client.name}'s ${action} was called void, and was executed`);
  }
}

function contentOf(receipt: object | undefined): string {
  const { reason, result } = (receipt ?? {}) as { reason?: string; result?: unknown };
  return JSON.stringify([reason ?? "", result ?? null]);
}
