import { checkHello, type HelloFrame, LIMITS, type SessionReason } from "../../protocol/index.ts";
import type { Game, GameShape } from "../../sim/index.ts";
import { cleanName } from "./clean-name.ts";
import type { RoomHooks } from "./hooks.ts";
import { Refusal } from "./refusal.ts";
import type { SeatRecord } from "./seat-record.ts";
import type { SeatTable } from "./seat-table.ts";

export type Admission<S extends GameShape> =
  | { readonly seat: undefined; readonly name: string; readonly secretHash: Uint8Array }
  /** Comes back to its seat. */
  | { readonly seat: SeatRecord<S> };

export interface HelloParts<S extends GameShape> {
  readonly game: Game<S>;
  readonly roomName: string;
  readonly hooks: RoomHooks<S>;
  readonly seats: SeatTable<S>;
  readonly hashSecret: (secret: Uint8Array) => Uint8Array;
}

/**
 * Decides what a hello means; changes nothing.
 * @throws Refusal when its sender must not come in
 */
export function judgeHello<S extends GameShape>(hello: HelloFrame, parts: HelloParts<S>): Admission<S> {
  const { game, roomName, hooks, seats, hashSecret } = parts;
  const mismatch = checkHello(hello, game);
  if (mismatch) throw new Refusal(mismatch);
  const secretHash = hashSecret(hello.secret);
  const seat = seats.bySecret(secretHash);
  if (seat) return { seat };
  if (seats.size >= LIMITS.seats) throw new Refusal("room-full");
  const name = cleanName(hello.name);
  const answer = askGame(hooks, name, roomName);
  if (answer !== true) throw new Refusal("not-authorized", { detail: answer.refuse });
  return { seat: undefined, name, secretHash };
}

/**
 * Whether a returning client goes on in the seat's input session, or why that has to end [S2]. Another queue
 * under the same secret (a copied tab, an older backup) must not go on in it.
 */
export function judgeQueue<S extends GameShape>(
  { state, input, older }: SeatRecord<S>,
  hello: Pick<HelloFrame, "inputSession" | "oldestSeq" | "nextSeq">,
): "agrees" | SessionReason {
  // Nobody has heard of the session yet.
  if (state.at === "joining") return "agrees";
  // It missed that its session was closed: its queue is void, and the one that followed is untouched.
  if (input.untouched && older.some(({ id }) => id === hello.inputSession)) return "agrees";
  return hello.inputSession === input.id ? input.judgeQueue(hello) : "queue-lost";
}

/** A check that fails to answer must not let anybody in. */
function askGame<S extends GameShape>(hooks: RoomHooks<S>, name: string, room: string) {
  try {
    return hooks.authorize?.({ name, room }) ?? true;
  } catch (cause) {
    throw new Refusal("not-authorized", { detail: "the game could not decide", cause });
  }
}
