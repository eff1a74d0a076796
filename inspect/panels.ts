import type { EntityView, RoomReport, RoomView, SeatView } from "../room/index.ts";

const SEAT_COLUMNS: readonly (readonly [string, (seat: SeatView) => string])[] = [
  ["Seat", ({ seat }) => String(seat)],
  ["Name", ({ name }) => name],
  ["State", ({ state }) => state],
  ["Session", ({ kind, inputSession }) => (kind === "bot" ? "" : String(inputSession))],
  ["Consumed", ({ kind, consumed, durable }) => (kind === "bot" ? "" : `${consumed} (${durable} stored)`)],
  ["Waiting", ({ kind, depth }) => (kind === "bot" ? "" : String(depth))],
  ["Missed", ({ kind, missed }) => (kind === "bot" ? "" : String(missed))],
  ["Behind", ({ behindTicks }) => (behindTicks === undefined ? "" : `${behindTicks} ticks`)],
];

/** The figures of a report that are best read as words. */
export function showFigures(list: HTMLElement, report: RoomReport): void {
  const { game, gameVersion, tickRate, windowTicks, commitEvery, ledger, perSecond } = report;
  const minutes = Math.floor(report.upSeconds / 60);
  const figures: readonly (readonly [string, string])[] = [
    ["State", report.state],
    ["Game", `${game} ${gameVersion}`],
    ["Ticks", `${tickRate}/s, ${windowTicks} a window, a commit every ${commitEvery}`],
    ["Tick", String(report.tick)],
    ["Incarnation", `${report.incarnation}, for ${minutes} min ${Math.floor(report.upSeconds % 60)} s`],
    ["Connections", String(report.connections)],
    ["Slipped ticks", String(report.slippedTicks)],
    ["Missing inputs", `${report.inputsMissing} of ${report.inputsConsumed + report.inputsMissing}`],
    ["Faults", String(report.faults)],
    ["Storage errors", String(report.storageErrors)],
    ["Open actions", `${report.pendingActions}, ${report.debts} to be undone`],
    ["Messages in", `${perSecond.messagesIn.toFixed(1)}/s`],
    [
      "Replayable",
      `${((ledger.toTick - ledger.fromTick) / tickRate).toFixed(0)} s, ${ledger.commits} commits`,
    ],
    ["Stored", `${(report.storedBytes / 1e6).toFixed(2)} MB`],
  ];
  list.replaceChildren(...figures.flatMap(([name, value]) => [element("dt", name), element("dd", value)]));
}

export function showSeats(
  table: HTMLTableElement,
  seats: readonly SeatView[],
  onKick: (seat: number) => void,
): void {
  const head = document.createElement("tr");
  head.append(...[...SEAT_COLUMNS.map(([name]) => name), ""].map((name) => element("th", name)));
  const rows = seats.map((seat) => {
    const row = document.createElement("tr");
    row.append(...SEAT_COLUMNS.map(([, value]) => element("td", value(seat))));
    const last = document.createElement("td");
    if (seat.kind === "player") {
      const button = element("button", "Kick");
      button.setAttribute("aria-label", `Kick seat ${seat.seat}`);
      button.addEventListener("click", () => onKick(seat.seat));
      last.append(button);
    }
    row.append(last);
    return row;
  });
  // A table that is replaced between press and release of the mouse would swallow the click.
  if (table.matches(":active") || table.querySelector(":active")) return;
  const focused = document.activeElement?.getAttribute("aria-label");
  table.replaceChildren(head, ...rows);
  if (focused) table.querySelector<HTMLElement>(`[aria-label="${CSS.escape(focused)}"]`)?.focus();
}

export function showLog(list: HTMLElement, log: RoomView["log"]): void {
  const isAtEnd = list.scrollTop + list.clientHeight >= list.scrollHeight - 4;
  list.replaceChildren(
    ...log.map(({ atMs, level, event, room: _, ...rest }) => {
      const details = Object.entries(rest).map(([name, value]) => `${name} ${value}`);
      const item = element(
        "li",
        `${new Date(atMs).toISOString().slice(11, 19)} ${event} ${details.join(" · ")}`,
      );
      item.dataset.level = level;
      return item;
    }),
  );
  if (isAtEnd) list.scrollTop = list.scrollHeight;
}

export function showEntity(list: HTMLElement, entity: EntityView | undefined): void {
  if (!entity) {
    list.replaceChildren(element("dt", "Click at an entity to see its fields."));
    return;
  }
  const { id, archetype, owner, fields } = entity;
  const rows: (readonly [string, unknown])[] = [
    [archetype, `id ${id}${owner > 0 ? `, of seat ${owner}` : ""}`],
    ...Object.entries(fields),
  ];
  list.replaceChildren(
    ...rows.flatMap(([name, value]) => [element("dt", name), element("dd", shown(value))]),
  );
}

function shown(value: unknown): string {
  return typeof value === "number" && !Number.isInteger(value) ? value.toFixed(3) : String(value);
}

function element<K extends keyof HTMLElementTagNameMap>(name: K, text: string): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}
