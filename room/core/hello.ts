import { checkHello, type HelloFrame, LIMITS } from "../../protocol/index.ts";
import type { Game, GameShape } from "../../sim/index.ts";
import { cleanName } from "./clean-name.ts";
import type { RoomHooks } from "./hooks.ts";
import { Refusal } from "./refusal.ts";
import type { SeatRecord } from "./seat-record.ts";
import type { SeatTable } from "./seat-table.ts";

export type Admission<S extends GameShape> =
  | { readonly seat: undefined; readonly name: string; readonly secretHash: Uint8Array }
  /** Comes back to its seat, and goes on in its input session or begins a new one. */
  | { readonly seat: SeatRecord<S>; readonly continues: boolean };

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
  if (seat) {
    // Another queue under the same secret (a copied tab, an older backup) must not go on in this session.
    const continues = hello.inputSession === seat.input.id && seat.input.agreesWith(hello.nextSeq);
    return { seat, continues };
  }
  if (seats.size >= LIMITS.seats.value) throw new Refusal("room-full");
  const name = cleanName(hello.name);
  const answer = askGame(hooks, name, roomName);
  if (answer !== true) throw new Refusal("not-authorized", { detail: answer.refuse });
  return { seat: undefined, name, secretHash };
}

/** A check that fails to answer must not let anybody in. */
function askGame<S extends GameShape>(hooks: RoomHooks<S>, name: string, room: string) {
  try {
    return hooks.authorize?.({ name, room }) ?? true;
  } catch (cause) {
    throw new Refusal("not-authorized", { detail: "the game could not decide", cause });
  }
}
