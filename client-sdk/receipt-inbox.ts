import type { BaselineFrame, ClientFrame, CursorFrame, Receipt, ReceiptsFrame } from "../protocol/index.ts";
import type { ActionTable } from "./action-table.ts";
import { ReceiptRequests } from "./receipt-requests.ts";
import { ReceiptStream, type WholeBaseline } from "./receipt-stream.ts";

/** How far one session's receipts have been taken in, as it is stored across reloads. */
export interface SavedCursor {
  readonly session: number;
  readonly cursor: number;
  readonly baselineId: number;
}

interface Entry {
  readonly stream: ReceiptStream;
  readonly requests: ReceiptRequests;
  /** What the store holds: only that may be confirmed, or a reload would miss what the room has thrown away. */
  kept: Omit<SavedCursor, "session">;
  confirmed: Omit<SavedCursor, "session"> | undefined;
}

export interface InboxOptions {
  readonly table: ActionTable;
  readonly nameOf: (slot: number) => string;
  /** A receipt said something new. */
  readonly onNews: (receipt: Receipt) => void;
  /** The room contradicts itself. */
  readonly onConflict: (detail: string) => void;
}

/** The receipt streams of all input sessions that can still be read, and what they lead to in the action table. */
export class ReceiptInbox {
  readonly #options: InboxOptions;
  readonly #entries = new Map<number, Entry>();
  #lastRequestId = 0;

  constructor(options: InboxOptions) {
    this.#options = options;
  }

  /** Whether all receipts are here that a session is known to have. */
  isComplete(session: number): boolean {
    return this.#entries.get(session)?.stream.complete ?? true;
  }

  /** A new connection: these are the sessions that can be read on it, with their heads. */
  reconnected(heads: ReadonlyMap<number, number>): void {
    for (const session of this.#entries.keys()) if (!heads.has(session)) this.#entries.delete(session);
    for (const [session, head] of heads) {
      const entry = this.#entry(session);
      entry.confirmed = undefined;
      entry.stream.reconnected();
      entry.stream.raiseHead(head);
      entry.requests.reconnected();
    }
  }

  raiseHead(session: number, head: number): void {
    this.#entry(session).stream.raiseHead(head);
  }

  receive({ session, items }: ReceiptsFrame): void {
    const { stream } = this.#entry(session);
    for (const item of items) {
      const staged = stream.stage(item);
      if (staged === "conflict" || (staged === "known" && this.#options.table.conflicts(item)))
        this.#conflict(item);
    }
    this.#advance(stream);
  }

  part(frame: BaselineFrame): void {
    const { stream } = this.#entry(frame.session);
    const whole = stream.collect(frame);
    if (whole === "torn") this.#options.onConflict(`parts of baseline ${frame.baselineId} differ`);
    if (typeof whole === "string") return;
    const { table } = this.#options;
    // Checked as a whole before anything of it counts.
    const odd = whole.items.find((item) => table.conflicts(item));
    if (odd) {
      this.#conflict(odd);
      return;
    }
    const before = stream.cursor;
    stream.adopt(whole);
    for (const item of whole.items) this.#merge(item, item.number > before);
    this.#advance(stream);
    if (whole.covering > before) this.#missedBy(frame.session, whole);
  }

  /** Requests for what is missing. */
  requests(nowMs: number): ClientFrame[] {
    const frames: ClientFrame[] = [];
    for (const [session, { stream, requests }] of this.#entries) {
      const due = requests.due(nowMs);
      if (due === "baseline") {
        this.#lastRequestId = (this.#lastRequestId % 0xffff) + 1;
        frames.push({ type: "baseline", session, cursor: stream.cursor, requestId: this.#lastRequestId });
      } else if (due) frames.push({ type: "fetch", session, ...due });
    }
    return frames;
  }

  /** Confirmations that are due. */
  confirmations(): CursorFrame[] {
    const frames: CursorFrame[] = [];
    for (const [session, entry] of this.#entries) {
      const { kept, confirmed = { cursor: 0, baselineId: 0 } } = entry;
      if (kept.cursor === confirmed.cursor && kept.baselineId === confirmed.baselineId) continue;
      entry.confirmed = kept;
      frames.push({ type: "cursor", session, ...kept });
    }
    return frames;
  }

  save(): SavedCursor[] {
    return [...this.#entries].map(([session, { stream }]) => ({
      session,
      cursor: stream.cursor,
      baselineId: stream.baselineId,
    }));
  }

  /** These are stored now, together with the actions that they brought: they may be confirmed. */
  saved(cursors: readonly SavedCursor[]): void {
    for (const { session, cursor, baselineId } of cursors) {
      const entry = this.#entries.get(session);
      if (entry) entry.kept = { cursor, baselineId };
    }
  }

  restore(cursors: readonly SavedCursor[]): void {
    for (const { session, cursor, baselineId } of cursors) {
      this.#open(new ReceiptStream(session, cursor, baselineId)).kept = { cursor, baselineId };
    }
  }

  #entry(session: number): Entry {
    return this.#entries.get(session) ?? this.#open(new ReceiptStream(session));
  }

  #open(stream: ReceiptStream): Entry {
    const requests = new ReceiptRequests(stream);
    const entry: Entry = { stream, requests, kept: { cursor: 0, baselineId: 0 }, confirmed: undefined };
    this.#entries.set(stream.session, entry);
    return entry;
  }

  #advance(stream: ReceiptStream): void {
    for (const item of stream.advance()) this.#merge(item, true);
  }

  #merge(item: Receipt, isNews: boolean): void {
    const { table, nameOf, onNews } = this.#options;
    const merged = table.merge(item, nameOf(item.slot), isNews);
    if (merged === "conflict") this.#conflict(item);
    if (merged === "adopted") onNews(item);
  }

  /** What a baseline covers and doesn't name has ended, and how is no longer kept anywhere. */
  #missedBy(session: number, { items, covering }: WholeBaseline): void {
    for (const record of this.#options.table.open(session)) {
      const { receipt } = record;
      if (!receipt || items.some(({ seq, slot }) => seq === receipt.seq && slot === receipt.slot)) continue;
      if (receipt.number <= covering) record.giveUp("unknown");
    }
  }

  #conflict({ session, seq, slot, revision }: Receipt): void {
    this.#options.onConflict(`two receipts for action ${session}/${seq}/${slot}, revision ${revision}`);
  }
}
