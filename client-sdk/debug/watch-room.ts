import type { ActionName, GameShape } from "../../sim/index.ts";
import type { ActionReceipt, Effect, RoomClient } from "../index.ts";
import type { LogKind } from "./event-log.ts";

export interface RoomWatcher {
  readonly log: (kind: LogKind, text: string) => void;
  readonly corrected: (distance: number) => void;
}

/** Puts into words what a room tells its page. @returns what ends it */
export function watchRoom<S extends GameShape>(
  room: RoomClient<S>,
  { log, corrected }: RoomWatcher,
): () => void {
  const { on } = room;
  const tell = (what: string, { name, session, seq, slot, tick }: Effect<S>) =>
    log("effect", `${name} ${session}/${seq}/${slot} ${what} in tick ${tick}`);
  const offs = [
    on("joined", ({ seat, incarnation, resumed }) =>
      log("link", `joined as seat ${seat}, incarnation ${incarnation}${resumed ? ", resumed" : ""}`),
    ),
    on("reconnecting", ({ code, reason }) => log("link", `lost: ${code} ${reason}`)),
    on("closed", ({ code, reason }) => log("link", `closed: ${code} ${reason}`)),
    on("restarted", ({ incarnation }) => log("link", `room restarted, incarnation ${incarnation}`)),
    on("paused", ({ paused, why }) =>
      log("link", `${paused ? "sampling stopped" : "sampling goes on"}: ${why}`),
    ),
    on("void", ({ session, from, to, reason }) =>
      log("link", `commands ${from} to ${to} of session ${session} are void: ${reason}`),
    ),
    on("correction", ({ distance }) => {
      corrected(distance);
      log("correction", `by ${distance.toFixed(3)}`);
    }),
    on("fault", ({ error }) => log("fault", String(error))),
    room.effects.on("*", {
      play: (effect) => tell("plays", effect),
      accept: (effect) => tell("accepted", effect),
      cancel: (effect) => tell("cancelled", effect),
      end: (effect) => tell("ended", effect),
    }),
    ...(Object.keys(room.actions) as ActionName<S>[]).map((name) =>
      room.receipts.on(name, (receipt) =>
        log("receipt", `${name} ${wordsOf(receipt as unknown as ActionReceipt<GameShape>)}`),
      ),
    ),
  ];
  return () => {
    for (const off of offs) off();
  };
}

function wordsOf(receipt: ActionReceipt<GameShape>): string {
  const { session, seq, slot, status, tick } = receipt;
  const detail =
    receipt.status === "settled"
      ? JSON.stringify(receipt.result)
      : receipt.status === "admitted"
        ? ""
        : receipt.reason;
  return `${session}/${seq}/${slot} ${status} in tick ${tick} ${detail}`.trim();
}
