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
  # Server to client, packed.
  union {
    none @0 :Void;                  # never sent: it keeps the tag in front
    snapshot :group {
      baseAge @1 :UInt16;           # ticks since the snapshot that this one is a difference against; 0 = keyframe
      tick @2 :UInt32;
      consumed @3 :UInt32;
      echoMs @4 :UInt32;            # newest sentAtMs received
      inputSession @5 :UInt32;
      heldMs @6 :UInt16;            # between receipt of echoMs and this send; 65535 = nothing to echo
      bufferDepth @7 :UInt16;       # commands of this seat waiting after the window's last tick
      incarnation @8 :UInt32;
      # What mostly stays as it was is 0 then: `more` than in the base, or than 0 in a keyframe.
      randomChange @9 :UInt32;      # state of the seat's predicted random stream, xor the base's
      moreMissed @10 :UInt32;       # ticks without a command
      moreSlipped @11 :UInt32;      # ticks that the room fell behind the wall clock
      moreReceipts @12 :UInt32;     # number of the session's newest committed receipt
      notDurable @13 :UInt16;       # commands consumed that aren't in storage yet
      creditLess @14 :UInt16;       # by which the credit stays below consumed + the credit window
      requestId @15 :UInt16;        # the keyframe request that this answers; 0 = none
      own @16 :Data;                # exact rows of the seat's own entities
      shared @17 :Data;             # entity section; last, so that its packed form is the same for all
    }
    welcome :group {
      protocol @18 :UInt16;
      seat @19 :UInt16;
      tickRate @20 :UInt16;         # ticks per second
      windowTicks @21 :UInt16;      # ticks between snapshots
      incarnation @22 :UInt32;
      tick @23 :UInt32;
      inputSession @24 :UInt32;
      consumed @25 :UInt32;
      durable @26 :UInt32;
      credit @27 :UInt32;
      roomName @28 :Text;           # kind:name
      receiptHead @29 :UInt32;      # number of the session's newest committed receipt; 0 = none
      openSessions @30 :List(OpenSession);  # older ones whose receipts can still be read
    }
    roster :group {
      seats @31 :List(RosterSeat);
    }
    receipts :group {
      session @32 :UInt32;
      items @33 :List(Receipt);     # numbers ascend
    }
    baseline :group {
      requestId @34 :UInt16;        # the request that this answers
      part @35 :UInt16;             # from 1
      parts @36 :UInt16;
      session @37 :UInt32;
      requestCursor @38 :UInt32;    # the request's cursor
      baselineId @39 :UInt32;       # from 1
      covering @40 :UInt32;         # every receipt up to this number is in the baseline, or superseded by one in it
      items @41 :List(Receipt);     # numbers ascend
    }
    session :group {
      phase @42 :SessionPhase;
      reason @43 :SessionReason;
      session @44 :UInt32;
      finalConsumed @45 :UInt32;    # once closed: commands after it are void
      opened @46 :UInt32;           # session that follows; 0 = none (yet)
    }
    resend :group {
      session @47 :UInt32;
      from @48 :UInt32;             # first command of the gap
      to @49 :UInt32;               # last one
    }
    events :group {
      incarnation @50 :UInt32;
      items @51 :List(Event);       # in the order in which they happened
    }
    notice :group {
      inMs @52 :UInt32;             # the room closes so much later
      reason @53 :Text;             # for players
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
