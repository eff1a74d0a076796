import type { ActionHandle, ActionOutcome, SeatInfo } from "tickroom/client";
import type { Arena } from "../game.ts";

const MOST_LINES = 5;
/** A finished line goes after this long. */
const SHOWN_MS = 9000;

type Handle = ActionHandle<Arena>;

interface Line {
  readonly handle: Handle;
  readonly item: HTMLLIElement;
  readonly state: HTMLElement;
  outcome: ActionOutcome<Arena> | undefined;
  endedMs: number | undefined;
}

const LABELS: Readonly<Record<Handle["action"], string>> = { fire: "Shot", buy: "Can of paint" };

const REASONS: Readonly<Record<string, string>> = {
  "cooling-down": "too soon",
  "no-paint": "no paint left",
  "not-at-kiosk": "only at the kiosk",
  "one-at-a-time": "one at a time",
  "tank-full": "no room for more",
};

/** What was asked for, and what the room has said to it: pending first, then its last word. */
export class ReceiptLog {
  readonly #list: HTMLElement;
  readonly #lines: Line[] = [];

  constructor(list: HTMLElement) {
    this.#list = list;
  }

  add(handle: Handle): void {
    const item = document.createElement("li");
    const name = document.createElement("span");
    name.textContent = LABELS[handle.action];
    const state = document.createElement("b");
    item.append(name, state);
    item.dataset.action = handle.action;
    const line: Line = { handle, item, state, outcome: undefined, endedMs: undefined };
    void handle.settled.then((outcome) => {
      line.outcome = outcome;
    });
    this.#lines.push(line);
    this.#list.append(item);
    while (this.#lines.length > MOST_LINES) this.#lines.shift()?.item.remove();
  }

  /** Once a frame. */
  update(seats: readonly SeatInfo[], nowMs: number): void {
    for (const line of this.#lines) {
      const { handle, outcome, item, state } = line;
      const text = outcome ? finalText(outcome, seats) : pendingText(handle);
      if (state.textContent !== text) state.textContent = text;
      const status = handle.status;
      if (item.dataset.status !== status) item.dataset.status = status;
      if (outcome) line.endedMs ??= nowMs;
    }
    while (nowMs - (this.#lines[0]?.endedMs ?? nowMs) > SHOWN_MS) this.#lines.shift()?.item.remove();
  }
}

function pendingText({ status, identity }: Handle): string {
  const number = identity ? `#${identity.seq} ` : "";
  return status === "admitted" ? `${number}admitted …` : `${number}pending …`;
}

function finalText(outcome: ActionOutcome<Arena>, seats: readonly SeatInfo[]): string {
  switch (outcome.status) {
    case "rejected":
      return REASONS[outcome.reason] ?? outcome.reason;
    case "timedOut":
      return "no answer in time";
    case "void":
      return "never happened";
    case "unknown":
      return "outcome unknown";
    case "settled": {
      if (outcome.action === "buy") return outcome.result.ok ? "bought" : "not enough coins";
      const { hit } = outcome.result;
      return hit === 0 ? "missed" : `hit ${seats.find(({ seat }) => seat === hit)?.name ?? "somebody"}`;
    }
  }
}
