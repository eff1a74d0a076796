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
    }
    roster :group {
      seats @27 :List(RosterSeat);
    }
  }
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
