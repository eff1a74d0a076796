import { LIMITS, type Snapshot } from "../../protocol/index.ts";
import type { GameShape, QuantisedState } from "../../sim/index.ts";
import { ReceiptAsks } from "./actions/index.ts";
import { Allowance } from "./allowance.ts";
import type { Connection } from "./connection.ts";
import type { SeatRecord } from "./seat-record.ts";

/** What a client was sent: what the next snapshot is a difference against. */
export interface SentBoundary {
  readonly state: QuantisedState;
  readonly snapshot: Snapshot;
}

/**
 * Where a connection is: greeting ──hello──▶ entering ──commit: welcome, keyframe──▶ live.
 * A closed one is taken out of the room's table; its late frames then find nobody [S2].
 */
export type LinkState<S extends GameShape> =
  | { readonly at: "greeting"; readonly deadlineMs: number }
  | { readonly at: "entering"; readonly seat: SeatRecord<S> }
  | { readonly at: "live"; readonly seat: SeatRecord<S>; readonly base: SentBoundary };

/** A connection and what the room remembers about it. Nothing of it is stored. */
export interface Link<S extends GameShape> {
  readonly id: string;
  readonly connection: Connection;
  readonly allowance: Allowance;
  /** When it was last heard of, later by what the room stood still since. */
  heardMs: number;
  state: LinkState<S>;
  /** Newest `sentAtMs` of the client and when it came, to be echoed. */
  echo: { readonly sentAtMs: number; readonly receivedAtMs: number } | undefined;
  /** Newest snapshot that the client has applied, or the one that it began with. */
  ackTick: number;
  /** Somebody came or went while nothing was sent. */
  rosterPending: boolean;
  /** Keyframe request to answer with the next snapshot, 0 when there is none. */
  keyframeRequest: number;
  /** Input session that the hello named, 0 = none. */
  helloSession: number;
  /** Input session that this connection knows to be closing, 0 = none. */
  toldClosing: number;
  readonly receiptAsks: ReceiptAsks;
}

export function newLink<S extends GameShape>(connection: Connection, nowMs: number): Link<S> {
  return {
    id: connection.id,
    connection,
    allowance: new Allowance(nowMs),
    heardMs: nowMs,
    state: { at: "greeting", deadlineMs: nowMs + LIMITS.helloDeadlineMs },
    echo: undefined,
    ackTick: 0,
    rosterPending: false,
    keyframeRequest: 0,
    helloSession: 0,
    toldClosing: 0,
    receiptAsks: new ReceiptAsks(),
  };
}

/** The seat that a connection has proved to be, if any. */
export function seatOf<S extends GameShape>(link: Link<S>): SeatRecord<S> | undefined {
  return link.state.at === "greeting" ? undefined : link.state.seat;
}
