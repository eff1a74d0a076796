import {
  encodeServerFrame,
  type LedgerEnd,
  MAX_BASE_AGE,
  type MotionWriter,
  NO_ECHO,
  PROTOCOL_VERSION,
  type RosterFrame,
  type Snapshot,
  type SnapshotWriter,
  type WelcomeFrame,
} from "../../protocol/index.ts";
import type { GameShape } from "../../sim/index.ts";
import { EventPost } from "./event-post.ts";
import { flowOf } from "./flow.ts";
import type { Link, SentBoundary } from "./link.ts";
import { BoundaryView } from "./replication.ts";
import type { RoomWorks } from "./room-parts.ts";
import type { RoomState } from "./room-state.ts";
import type { SeatRecord } from "./seat-record.ts";
import { sessionNews } from "./session-news.ts";
import type { WindowResult } from "./window.ts";

interface BroadcastRequest<S extends GameShape> {
  readonly state: RoomState<S>;
  readonly links: Iterable<Link<S>>;
  readonly roomName: string;
  readonly windowTicks: number;
  readonly writer: SnapshotWriter;
  readonly motion: MotionWriter;
  readonly rosterChanged: boolean;
  /** Input sessions that the window closed. */
  readonly ended: readonly LedgerEnd[];
  readonly nowMs: number;
}

interface BroadcastResult<S extends GameShape> {
  readonly bytesOut: number;
  /** Events that didn't fit into the window's frames. */
  readonly eventsDropped: number;
  /** Links that could not be written to. */
  readonly lost: readonly Link<S>[];
  /** Links that haven't read for too long. */
  readonly behind: readonly Link<S>[];
}

/** Sends a boundary to everybody at the door, and lets go of those who are gone. */
export function sendBoundary<S extends GameShape>(
  about: Omit<BroadcastRequest<S>, "writer" | "motion" | "links" | "rosterChanged" | "ended">,
  { door, writer, motion }: Pick<RoomWorks<S>, "door" | "writer" | "motion">,
  { joins, leaves, ended }: WindowResult,
): Pick<BroadcastResult<S>, "bytesOut" | "eventsDropped"> {
  const rosterChanged = door.takeRosterChange() || joins.length + leaves.length > 0;
  const sent = broadcast({ ...about, writer, motion, links: door.links(), rosterChanged, ended });
  for (const link of sent.lost) door.disconnect(link.id);
  for (const link of sent.behind) door.close(link.id, "behind");
  return sent;
}

/**
 * Sends a committed boundary: to newcomers a welcome, the roster and a keyframe, to the others what
 * changed. Must only be called once the window is settled: what was seen can't be taken back.
 */
function broadcast<S extends GameShape>(request: BroadcastRequest<S>): BroadcastResult<S> {
  const view = new BoundaryView(request.state.world, request.motion);
  const post = new EventPost(request.state.world.outbox.take(), request.state.incarnation);
  const lost: Link<S>[] = [];
  const behind: Link<S>[] = [];
  let roster: Uint8Array | undefined;
  let bytesOut = 0;
  for (const link of request.links) {
    const frames: Uint8Array[] = [];
    const { state } = link;
    if (state.at === "greeting") continue;
    const flow = flowOf(link, { tick: request.state.world.tick, tickRate: request.state.game.tickRate });
    if (flow === "lost") {
      behind.push(link);
      continue;
    }
    const held = flow === "held";
    if (state.at === "entering") frames.push(encodeServerFrame(welcome(request, state.seat)));
    link.rosterPending ||= request.rosterChanged || state.at === "entering";
    if (link.rosterPending && !held) {
      roster ??= encodeServerFrame(rosterFrame(request.state));
      frames.push(roster);
      link.rosterPending = false;
    }
    const { world, actions, commit } = request.state;
    const { tick } = world;
    // Before the snapshot, whose head then shows no hole, and before the session's end.
    for (const frame of link.receiptAsks.answer(state.seat.id, actions.receipts, { commit, held })) {
      frames.push(encodeServerFrame(frame));
    }
    for (const news of sessionNews(link, state.seat, { ended: request.ended, tick })) {
      frames.push(encodeServerFrame(news));
    }
    let base: SentBoundary | undefined;
    if (!held) {
      const snapshot = snapshotOf(request, link, state.seat, view);
      const before =
        state.at === "live" && link.keyframeRequest === 0 ? usableBase(state.base, tick) : undefined;
      const shared = before ? view.differenceTo(before.state) : view.keyframe();
      frames.push(request.writer.write(snapshot, before?.snapshot, shared));
      // Who comes in only now wasn't there.
      if (state.at === "live") frames.push(...post.framesFor(state.seat.id));
      base = { state: view.state, snapshot };
    }
    try {
      for (const frame of frames) {
        link.connection.send(frame);
        bytesOut += frame.byteLength;
      }
    } catch {
      lost.push(link);
      continue;
    }
    if (!base) continue;
    if (state.at === "entering") link.ackTick = tick;
    link.state = { at: "live", seat: state.seat, base };
    link.keyframeRequest = 0;
  }
  return { bytesOut, eventsDropped: post.dropped, lost, behind };
}

function welcome<S extends GameShape>(
  { state, roomName, windowTicks }: BroadcastRequest<S>,
  { id, input, older }: SeatRecord<S>,
): WelcomeFrame {
  return {
    type: "welcome",
    protocol: PROTOCOL_VERSION,
    seat: id,
    incarnation: state.incarnation,
    tick: state.world.tick,
    tickRate: state.game.tickRate,
    windowTicks,
    inputSession: input.id,
    consumed: input.consumed,
    durable: input.durable,
    credit: input.credit,
    roomName,
    receiptHead: state.actions.streamOf(input.id).receiptHead,
    openSessions: older.map(({ id: session }) => {
      return { session, head: state.actions.streamOf(session).receiptHead };
    }),
  };
}

/** One that is too old to be named is as good as none. */
function usableBase(base: SentBoundary, tick: number): SentBoundary | undefined {
  return tick - base.snapshot.tick > MAX_BASE_AGE ? undefined : base;
}

/** Everything in it is of the same boundary: world, watermarks and the seat's random stream [P3]. */
function snapshotOf<S extends GameShape>(
  { state, nowMs }: BroadcastRequest<S>,
  link: Link<S>,
  { id, input }: SeatRecord<S>,
  view: BoundaryView<S>,
): Snapshot {
  const { echo, keyframeRequest } = link;
  return {
    tick: state.world.tick,
    requestId: keyframeRequest,
    incarnation: state.incarnation,
    inputSession: input.id,
    consumed: input.consumed,
    durable: input.durable,
    credit: input.credit,
    bufferDepth: input.depth,
    missed: input.missed,
    slippedTicks: state.slippedTicks,
    echoMs: echo?.sentAtMs ?? 0,
    heldMs: echo ? Math.min(NO_ECHO - 1, Math.max(0, Math.round(nowMs - echo.receivedAtMs))) : NO_ECHO,
    seatRandom: state.world.seatRandomState(id),
    receiptHead: state.actions.streamOf(input.id).receiptHead,
    own: view.ownRows(id),
  };
}

function rosterFrame<S extends GameShape>(state: RoomState<S>): RosterFrame {
  return {
    type: "roster",
    seats: [...state.seats.all()].map(({ id, name, kind, state: at }) => ({
      seat: id,
      name,
      kind,
      connected: at.at !== "dropped",
    })),
  };
}
