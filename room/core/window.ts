import type { LedgerEnd, LedgerJoin, LedgerLeave } from "../../protocol/index.ts";
import {
  type ActionCall,
  type CommandOf,
  type Game,
  type GameShape,
  quantiseCommand,
  type Rewind,
  type SeatId,
  SystemFault,
  type Tick,
  unpackCalls,
} from "../../sim/index.ts";
import type { ActionPart, CarriedCalls } from "./action-part.ts";
import { closeDrained } from "./barrier.ts";
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
  /** Whether input sessions end at their barrier; in a replay they end as recorded. */
  readonly closesSessions: boolean;
}

export interface WindowResult {
  /** Players who came, then bots that the game's callbacks added. */
  readonly joins: readonly LedgerJoin[];
  readonly leaves: readonly LedgerLeave[];
  /** Input sessions that were closed. */
  readonly ended: readonly LedgerEnd[];
  /** Players whose join was refused because `onJoin` kept throwing. */
  readonly refused: readonly { readonly seat: SeatId; readonly linkId: string }[];
}

export interface WindowParts<S extends GameShape> extends RoomParts<S> {
  readonly game: Game<S>;
  readonly actions: ActionPart<S>;
  readonly poses: { rewindTo(viewTick: number): Rewind<S> };
}

/**
 * Runs one window: structural changes in (leaves, creation, joins), then its ticks. Whatever the game's
 * code throws comes out as a RoomFault; world and seats are then half-way and must be rolled back.
 */
export function runWindow<S extends GameShape>(parts: WindowParts<S>, plan: WindowPlan): WindowResult {
  const api = roomApi(parts);
  const { world, seats } = parts;
  const boundary = world.tick;
  // Of a boundary that wasn't sent, as when the room was made.
  world.outbox.cut(0);
  const before = new Set([...seats.all()].map(({ id }) => id));
  const { leaves, left } = runLeaves(parts, plan, api);
  if (plan.create) {
    const { options } = plan.create;
    guard(parts, "onCreate", undefined, () => parts.hooks.onCreate?.(api, options));
  }
  const { joins, refused } = runJoins(parts, plan, api);
  for (const { id: seat, kind, name } of seats.all()) {
    if (kind === "bot" && !before.has(seat)) joins.push({ seat, name, kind, tick: boundary });
  }
  guard(parts, "structure", undefined, () => world.commitStructure());
  for (const { input, state } of seats.all()) input.watchGap(boundary, state.at === "live");
  for (let i = 0; i < plan.ticks; i++) runTick(parts, plan);
  const closed = plan.closesSessions ? closeDrained(parts, world.tick) : [];
  return { joins, leaves, ended: [...left, ...closed], refused };
}

function runLeaves<S extends GameShape>(parts: WindowParts<S>, plan: WindowPlan, api: RoomApi<S>) {
  const { world, seats, hooks, actions } = parts;
  const { tick } = world;
  const leaves: LedgerLeave[] = [];
  const left: LedgerEnd[] = [];
  for (const record of [...seats.all()]) {
    const { state, id } = record;
    const expired = state.at === "dropped" && state.sinceTick <= plan.expireDroppedAt;
    if (state.at !== "leaving" && !expired) continue;
    record.state = { at: "leaving" };
    if (!isRejected(plan, "leave", id)) {
      guard(parts, "onLeave", id, () => hooks.onLeave?.(new SeatHandle(record, world), api));
    }
    const { id: session, consumed: finalConsumed } = record.input;
    left.push({ seat: id, session, reason: "left", finalConsumed, opened: 0, tick });
    vacate(id, world);
    seats.remove(id);
    actions.endSeat(id, tick);
    leaves.push({ seat: id, tick });
  }
  return { leaves, left };
}

function runJoins<S extends GameShape>(parts: WindowParts<S>, plan: WindowPlan, api: RoomApi<S>) {
  const { world, seats, hooks, actions } = parts;
  const joins: LedgerJoin[] = [];
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
    actions.openStream(record.input.id, id);
    joins.push({ seat: id, name: record.name, kind: "player", tick: world.tick });
  }
  return { joins, refused };
}

function runTick<S extends GameShape>(parts: WindowParts<S>, plan: WindowPlan): void {
  const { world, seats, actions, poses } = parts;
  const tick = (world.tick + 1) as Tick;
  const commands = new Map<SeatId, CommandOf<S>>();
  const calls = new Map<SeatId, readonly ActionCall[]>();
  const carried = new Map<SeatId, CarriedCalls<S>>();
  actions.beginTick(tick);
  for (const record of seats.all()) {
    const reject = plan.rejected.some((s) => s.kind === "command" && s.seat === record.id && s.tick === tick);
    const command =
      record.kind === "bot"
        ? botCommand(parts, record, tick, reject)
        : playerCommand(parts, record, tick, { reject, calls, carried });
    if (command) commands.set(record.id, command);
  }
  try {
    world.step(commands, {
      calls,
      sessionOf: (seat) => carried.get(seat)?.session ?? 0,
      onAdmission: (seat, call, result) => {
        const from = carried.get(seat);
        if (from) from.record.input.answer(actions.admission(from, call, result));
      },
      rewind: (_seat, { viewTick }) => poses.rewindTo(viewTick),
      settle: (context) => actions.settlePending(context),
    });
  } catch (cause) {
    if (cause instanceof RoomFault) throw cause;
    if (cause instanceof SystemFault) {
      throw new RoomFault({ tick, callback: `${cause.phase} ${cause.system}`, seat: cause.seat }, { cause });
    }
    throw new RoomFault({ tick, callback: "step", seat: undefined }, { cause });
  }
}

interface TickCalls<S extends GameShape> {
  readonly reject: boolean;
  /** Takes the calls that the game has to be asked about. */
  readonly calls: Map<SeatId, readonly ActionCall[]>;
  readonly carried: Map<SeatId, CarriedCalls<S>>;
}

function playerCommand<S extends GameShape>(
  { game, world, actions }: WindowParts<S>,
  record: SeatRecord<S>,
  tick: Tick,
  { reject, calls, carried }: TickCalls<S>,
): CommandOf<S> | undefined {
  const alive = livingEntity(record, world) !== undefined;
  const { input } = record;
  const { command, consumed } = input.next({ tick, alive, reject });
  const called = consumed ? unpackCalls(game.schema, consumed.bytes, consumed.seq) : [];
  if (consumed && called.length > 0) {
    const from = { record, session: input.id, tick, bytes: consumed.bytes, calls: called };
    carried.set(record.id, from);
    if (reject) actions.rejectFaulted(from);
    else calls.set(record.id, actions.screen(from));
  }
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
