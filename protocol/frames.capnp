@0xbd262081c2262ca7;
# Every frame on a room's socket is one of these two structs, in one segment. docs/WIRE.md says what each field
# means; a field or union member may be added at the end, nothing may be renumbered within one protocol version.

struct ClientFrame {
  # Client to server, packed.
  union {
    hello :group {
      protocol @0 :UInt16;
      gameVersion @1 :UInt32;
      fingerprint @2 :UInt64;       # of the compiled schema
      inputSession @3 :UInt32;      # the one to continue; 0 = none
      nextSeq @4 :UInt32;           # number of the next command that the client will create
      incarnation @5 :UInt32;       # last one seen; 0 = none
      game @6 :Text;
      secret @7 :Data;              # 32 bytes, the seat's proof of identity
      name @8 :Text;                # shown to others
      oldestSeq @16 :UInt32;        # oldest command that the client still has; nextSeq = none
    }
    input :group {
      inputSession @9 :UInt32;
      sentAtMs @10 :UInt32;         # client's clock, milliseconds modulo 2^32, echoed
      ackTick @11 :UInt32;          # newest snapshot applied
      reference @12 :UInt32;        # full sequence number that the batch's short ones are relative to
      commands @13 :Data;           # command batch
    }
    keyframe :group {
      requestId @14 :UInt16;        # from 1
    }
    leave @15 :Void;
    cursor :group {
      session @17 :UInt32;          # whose receipt stream
      cursor @18 :UInt32;           # highest number such that it and all before it have arrived
      baselineId @19 :UInt32;       # the baseline that was adopted last; 0 = none
    }
    fetch :group {
      session @20 :UInt32;
      from @21 :UInt32;             # first receipt that is wanted
      to @22 :UInt32;               # last one
    }
    baseline :group {
      session @23 :UInt32;
      cursor @24 :UInt32;
      requestId @25 :UInt16;        # from 1
    }
  }
}

struct ServerFrame {
  # Server to client, unpacked.
  union {
    welcome :group {
      protocol @0 :UInt16;
      seat @1 :UInt16;
      tickRate @2 :UInt16;          # ticks per second
      windowTicks @3 :UInt16;       # ticks between snapshots
      incarnation @4 :UInt32;
      tick @5 :UInt32;
      inputSession @6 :UInt32;
      consumed @7 :UInt32;
      durable @8 :UInt32;
      credit @9 :UInt32;
      roomName @10 :Text;           # kind:name
      receiptHead @29 :UInt32;      # as in a snapshot
      openSessions @30 :List(OpenSession);  # older ones whose receipts can still be read
    }
    snapshot :group {
      requestId @11 :UInt16;        # the keyframe request that this answers; 0 = none
      bufferDepth @12 :UInt16;      # commands of this seat waiting after the window's last tick
      heldMs @13 :UInt16;           # between receipt of echoMs and this send; 65535 = nothing to echo
      tick @14 :UInt32;
      baseTick @15 :UInt32;         # snapshot that `shared` is a difference against; 0 = keyframe
      incarnation @16 :UInt32;
      inputSession @17 :UInt32;
      consumed @18 :UInt32;
      durable @19 :UInt32;
      credit @20 :UInt32;
      missed @21 :UInt32;           # ticks without a command since the input session began
      slippedTicks @22 :UInt32;     # ticks that the room fell behind the wall clock, in total
      echoMs @23 :UInt32;           # newest sentAtMs received
      seatRandom @24 :UInt32;       # state of the seat's predicted random stream
      shared @25 :Data;             # entity section
      own @26 :Data;                # exact rows of the seat's own entities
      receiptHead @28 :UInt32;      # number of the session's newest committed receipt; 0 = none
    }
    roster :group {
      seats @27 :List(RosterSeat);
    }
    receipts :group {
      session @31 :UInt32;
      items @32 :List(Receipt);     # numbers ascend
    }
    baseline :group {
      requestId @33 :UInt16;        # the request that this answers
      part @34 :UInt16;             # from 1
      parts @35 :UInt16;
      session @36 :UInt32;
      requestCursor @37 :UInt32;    # the request's cursor
      baselineId @38 :UInt32;       # from 1
      covering @39 :UInt32;         # every receipt up to this number is in the baseline, or superseded by one in it
      items @40 :List(Receipt);     # numbers ascend
    }
    session :group {
      phase @41 :SessionPhase;
      reason @42 :SessionReason;
      session @43 :UInt32;
      finalConsumed @44 :UInt32;    # once closed: commands after it are void
      opened @45 :UInt32;           # session that follows; 0 = none (yet)
    }
    resend :group {
      session @46 :UInt32;
      from @47 :UInt32;             # first command of the gap
      to @48 :UInt32;               # last one
    }
    events :group {
      incarnation @49 :UInt32;
      items @50 :List(Event);       # in the order in which they happened
    }
    notice :group {
      inMs @51 :UInt32;             # the room closes so much later
      reason @52 :Text;             # for players
    }
  }

  enum SessionPhase {
    closing @0;
    closed @1;
  }

  enum SessionReason {
    other @0;
    gap @1;                         # a missing command didn't come
    digestMismatch @2;              # a command came twice with different content
    queueLost @3;                   # the client's queue doesn't agree with what was consumed
    exhausted @4;                   # sequence numbers are nearly used up
    replayBound @5;                 # the client was away for too long to go on
    left @6;                        # the player left
  }
}

struct OpenSession {
  session @0 :UInt32;
  head @1 :UInt32;                  # number of its newest receipt
}

struct Receipt {
  # What became of an action, in a frame that names the input session.
  number @0 :UInt32;                # in its session's stream, from 1
  seq @1 :UInt32;                   # command that carried it
  tick @2 :UInt32;                  # that decided it
  slot @3 :UInt8;                   # action of the command
  revision @4 :UInt8;               # grows with each receipt of the action, from 1
  status @5 :Status;
  reason @6 :Text;                  # of a rejection or time-out
  result @7 :Text;                  # of a settlement: JSON, empty = null

  enum Status {
    admitted @0;
    rejected @1;
    settled @2;
    timedOut @3;
  }
}

struct Event {
  # Something that happened in a tick and leaves no trace in the state.
  tick @0 :UInt32;
  kind @1 :UInt16;                  # position in the game's definition
  except @2 :UInt16;                # seat whose page has shown it by itself; 0 = none
  data @3 :Text;                    # JSON
}

struct RosterSeat {
  seat @0 :UInt16;
  kind @1 :SeatKind;
  connected @2 :Bool;
  name @3 :Text;

  enum SeatKind {
    player @0;
    bot @1;
  }
}
