import {
  type CommandOf,
  type Game,
  type GameShape,
  quantiseCommand,
  type SeatId,
  SystemFault,
  type Tick,
} from "../../sim/index.ts";
import { nextBotRandom } from "./bot-random.ts";
import { RoomFault } from "./fault.ts";
import type { RoomApi } from "./hooks.ts";
import { type RoomParts, roomApi, vacate } from "./room-api.ts";
import { livingEntity, SeatHandle } from "./seat-handle.ts";
import type { SeatRecord } from "./seat-record.ts";
import type { Suspect } from "./suspects.ts";

export interface WindowPlan {
  readonly ticks: number;
  /** Options of a room that is made in this window. */
  readonly create: { readonly options: unknown } | undefined;
  /** Seats dropped at this tick or before have had their grace. */
  readonly expireDroppedAt: number;
  /** What must not have its way, because it made this window throw [T6]. */
  readonly rejected: readonly Suspect[];
}

export interface WindowResult {
  readonly joins: readonly SeatId[];
  readonly leaves: readonly SeatId[];
  /** Players whose join was refused because `onJoin` kept throwing. */
  readonly refused: readonly { readonly seat: SeatId; readonly linkId: string }[];
}

export interface WindowParts<S extends GameShape> extends RoomParts<S> {
  readonly game: Game<S>;
}

/**
 * Runs one window: structural changes in (leaves, creation, joins), then its ticks. Whatever the game's
 * code throws comes out as a RoomFault; world and seats are then half-way and must be rolled back.
 */
export function runWindow<S extends GameShape>(parts: WindowParts<S>, plan: WindowPlan): WindowResult {
  const api = roomApi(parts);
  const leaves = runLeaves(parts, plan, api);
  if (plan.create) {
    const { options } = plan.create;
    guard(parts, "onCreate", undefined, () => parts.hooks.onCreate?.(api, options));
  }
  const { joins, refused } = runJoins(parts, plan, api);
  guard(parts, "structure", undefined, () => parts.world.commitStructure());
  for (let i = 0; i < plan.ticks; i++) runTick(parts, plan);
  return { joins, leaves, refused };
}

function runLeaves<S extends GameShape>(parts: WindowParts<S>, plan: WindowPlan, api: RoomApi<S>): SeatId[] {
  const { world, seats, hooks } = parts;
  const leaves: SeatId[] = [];
  for (const record of [...seats.all()]) {
    const { state, id } = record;
    const expired = state.at === "dropped" && state.sinceTick <= plan.expireDroppedAt;
    if (state.at !== "leaving" && !expired) continue;
    record.state = { at: "leaving" };
    if (!isRejected(plan, "leave", id)) {
      guard(parts, "onLeave", id, () => hooks.onLeave?.(new SeatHandle(record, world), api));
    }
    vacate(id, world);
    seats.remove(id);
    leaves.push(id);
  }
  return leaves;
}

function runJoins<S extends GameShape>(parts: WindowParts<S>, plan: WindowPlan, api: RoomApi<S>) {
  const { world, seats, hooks } = parts;
  const joins: SeatId[] = [];
  const refused: { seat: SeatId; linkId: string }[] = [];
  for (const record of [...seats.all()]) {
    const { state, id } = record;
    if (state.at !== "joining") continue;
    if (isRejected(plan, "join", id)) {
      seats.remove(id);
      refused.push({ seat: id, linkId: state.linkId });
      continue;
    }
    world.openSeatStream(id);
    guard(parts, "onJoin", id, () => hooks.onJoin?.(new SeatHandle(record, world), api));
    joins.push(id);
  }
  return { joins, refused };
}

function runTick<S extends GameShape>(parts: WindowParts<S>, plan: WindowPlan): void {
  const { world, seats } = parts;
  const tick = (world.tick + 1) as Tick;
  const commands = new Map<SeatId, CommandOf<S>>();
  for (const record of seats.all()) {
    const reject = plan.rejected.some((s) => s.kind === "command" && s.seat === record.id && s.tick === tick);
    const command =
      record.kind === "bot"
        ? botCommand(parts, record, tick, reject)
        : playerCommand(parts, record, tick, reject);
    if (command) commands.set(record.id, command);
  }
  try {
    world.step(commands);
  } catch (cause) {
    if (cause instanceof SystemFault) {
      throw new RoomFault({ tick, callback: `${cause.phase} ${cause.system}`, seat: cause.seat }, { cause });
    }
    throw new RoomFault({ tick, callback: "step", seat: undefined }, { cause });
  }
}

function playerCommand<S extends GameShape>(
  { world }: WindowParts<S>,
  record: SeatRecord<S>,
  tick: Tick,
  reject: boolean,
): CommandOf<S> | undefined {
  const alive = livingEntity(record, world) !== undefined;
  const command = record.input.next({ tick, alive, reject });
  return alive ? command : undefined;
}

function botCommand<S extends GameShape>(
  parts: WindowParts<S>,
  record: SeatRecord<S>,
  tick: Tick,
  reject: boolean,
): CommandOf<S> | undefined {
  const { world, game, hooks } = parts;
  if (record.state.at !== "bot") return undefined;
  // A brain at fault would throw at every tick: the bot stands still from now on, and that is stored.
  if (reject) record.state = { at: "bot", brain: "" };
  const entity = livingEntity(record, world);
  if (!entity) return undefined;
  const think = hooks.bots?.[record.state.brain];
  if (!think) return quantiseCommand<S>(game.schema, {});
  const random = () => {
    const drawn = nextBotRandom(world.seatRandomState(record.id));
    world.setSeatRandomState(record.id, drawn.state);
    return drawn.value;
  };
  const thought = guard(parts, `bot ${record.state.brain}`, record.id, () =>
    think({ tick, world, entity, random }),
  );
  return quantiseCommand<S>(game.schema, thought);
}

function isRejected(plan: WindowPlan, kind: "join" | "leave", seat: SeatId): boolean {
  return plan.rejected.some((suspect) => suspect.kind === kind && suspect.seat === seat);
}

function guard<S extends GameShape, T>(
  { world }: WindowParts<S>,
  callback: string,
  seat: SeatId | undefined,
  call: () => T,
): T {
  try {
    return call();
  } catch (cause) {
    // Before the first tick of a window, the tick is the boundary's; bots think for the tick to come.
    const tick = callback.startsWith("bot ") ? world.tick + 1 : world.tick;
    throw new RoomFault({ tick, callback, seat }, { cause });
  }
}
