@0xb26ddaeef43398d4;
# What a room keeps in its storage: one StateRow (and older ones as checkpoints), one LedgerRow per commit and one
# ReceiptRow per receipt in recycled slots. Unpacked.
# `formatVersion` is the first field of all in every version for ever, so that a reader of any age can refuse.

struct StateRow {
  formatVersion @0 :UInt16;
  gameVersion @1 :UInt32;
  fingerprint @2 :UInt64;           # of the compiled schema that `world` was saved under
  hash @3 :UInt64;                  # of the world at this boundary
  commit @4 :UInt32;                # number of this commit, from 1
  tick @5 :UInt32;                  # the boundary
  incarnation @6 :UInt32;
  nextInputSession @7 :UInt32;
  slippedTicks @8 :UInt32;
  nextSeat @9 :UInt16;
  game @10 :Text;
  options @11 :Text;                # creation options, JSON
  world @12 :Data;                  # exact save of the world
  seats @13 :List(StoredSeat);
  pending @14 :List(StoredAction);  # admitted actions without a final receipt
  poses @15 :List(StoredPoses);     # where entities that can be aimed at were at the last boundaries, oldest first
  debts @16 :List(StoredDebt);      # failed actions whose call is still to be undone
}

struct StoredPoses {
  tick @0 :UInt32;                  # boundary
  section @1 :Data;                 # entity section against an empty base, of archetypes with `rewind`
}

struct StoredSeat {
  seat @0 :UInt16;
  isBot @1 :Bool;
  connected @2 :Bool;
  entity @3 :UInt32;                # reference of the entity that it drives; 0 = none
  missedInARow @4 :UInt32;          # ticks
  missed @5 :UInt32;                # ticks since the input session began
  droppedAtTick @6 :UInt32;         # when its last connection ended; 0 while connected
  name @7 :Text;
  bot @8 :Text;                     # name of the bot's brain
  secretHash @9 :Data;              # SHA-256 of the seat's secret
  held @10 :Data;                   # last executed command, packed; empty = none
  digests @11 :Data;                # u32 little-endian each, of the current session's command consumed, consumed - 1, ...
  dispositions @12 :Data;           # one byte each, same order
  sessions @13 :List(StoredSession);  # newest first, the current one at the front; none for a bot
}

struct StoredSession {
  inputSession @0 :UInt32;
  state @1 :SessionState;
  reason @2 :SessionReason;         # why it is closing or closed
  sinceTick @3 :UInt32;             # boundary at which it came into its state
  consumed @4 :UInt32;
  receiptHead @5 :UInt32;           # number of its newest receipt; 0 = none
  confirmed @6 :UInt32;             # the client has all receipts up to this one
  reclaimed @7 :UInt32;             # receipts up to this one are gone
  baselineId @8 :UInt32;            # of its newest baseline; 0 = none
}

enum SessionState {
  open @0;
  closing @1;
  closed @2;
}

enum SessionReason {
  # The same as in frames.capnp.
  other @0;
  gap @1;
  digestMismatch @2;
  queueLost @3;
  exhausted @4;
  replayBound @5;
  left @6;
}

struct StoredAction {
  session @0 :UInt32;
  seq @1 :UInt32;
  admittedTick @2 :UInt32;
  deadlineTick @3 :UInt32;          # time-out wins from here on
  seat @4 :UInt16;
  slot @5 :UInt8;
  revision @6 :UInt8;               # of its newest receipt
  params @7 :Data;                  # the command that carried it, packed
  capture @8 :Text;                 # what admission kept, JSON
  answer @9 :Text;                  # what its call answered, JSON; empty = nothing yet
}

struct StoredDebt {
  session @0 :UInt32;
  seq @1 :UInt32;
  seat @2 :UInt16;
  slot @3 :UInt8;
  outcome @4 :ActionOutcome;        # never settled
  params @5 :Data;                  # the command that carried it, packed
  capture @6 :Text;                 # what admission kept, JSON
}

enum ActionOutcome {
  settled @0;
  deadline @1;
  fault @2;                         # settling it kept throwing
  left @3;                          # its seat ended
}

struct ReceiptRow {
  formatVersion @0 :UInt16;
  seat @1 :UInt16;
  session @2 :UInt32;
  number @3 :UInt32;                # in the session's stream, from 1
  seq @4 :UInt32;
  tick @5 :UInt32;                  # that decided it
  committedTick @6 :UInt32;         # boundary of the commit that stored it
  slot @7 :UInt8;
  revision @8 :UInt8;
  status @9 :ReceiptStatus;
  reason @10 :Text;
  result @11 :Text;                 # JSON; empty = null
}

enum ReceiptStatus {
  # The same as in frames.capnp.
  admitted @0;
  rejected @1;
  settled @2;
  timedOut @3;
}

struct LedgerRow {
  formatVersion @0 :UInt16;
  commit @1 :UInt32;
  fromTick @2 :UInt32;              # boundary before
  toTick @3 :UInt32;                # boundary of this commit
  incarnation @4 :UInt32;
  hash @5 :UInt64;                  # of the world at toTick
  sessions @6 :List(LedgerSession);
  joins @7 :List(LedgerJoin);
  leaves @8 :List(LedgerLeave);
  answers @9 :List(LedgerAnswer);
  ended @10 :List(LedgerEnd);
  rejected @11 :List(LedgerRejection);
  finished @16 :List(LedgerFinish);
  boundaries @15 :Data;             # ends of the windows in it, u32 little-endian each; the last is toTick
  game @12 :Text;
  gameVersion @13 :UInt32;
  fingerprint @14 :UInt64;          # of the compiled schema that the commands were packed under
}

struct LedgerSession {
  seat @0 :UInt16;
  inputSession @1 :UInt32;
  entries @2 :List(LedgerEntry);
  missedTicks @3 :Data;             # ticks without a command, u32 little-endian each
}

struct LedgerEntry {
  seq @0 :UInt32;
  tick @1 :UInt32;                  # that consumed it
  digest @2 :UInt32;                # FNV-1a of `bytes`
  disposition @3 :UInt8;            # 1 executed, 2 rejected: fault, 3 no entity
  bytes @4 :Data;                   # the command, packed
  actions @5 :List(SlotOutcome);
}

struct SlotOutcome {
  # What the tick made of an action of the command.
  slot @0 :UInt8;
  admitted @1 :Bool;
  reason @2 :Text;                  # of a rejection
  byRoom @3 :Bool;                  # the room rejected it without asking the game
  rewoundTick @4 :UInt32;           # the moment that the verdict looked back at; 0 = none
  rewoundPart @5 :UInt8;            # 256ths of a tick after it
}

struct LedgerJoin {
  seat @0 :UInt16;
  isBot @1 :Bool;
  tick @2 :UInt32;                  # boundary at which it took effect
  name @3 :Text;
}

struct LedgerLeave {
  seat @0 :UInt16;
  tick @1 :UInt32;                  # boundary at which it took effect
}

struct LedgerAnswer {
  session @0 :UInt32;
  seq @1 :UInt32;
  tick @2 :UInt32;                  # that took the answer
  slot @3 :UInt8;
  answer @4 :Text;                  # JSON
}

struct LedgerFinish {
  # An admitted action came to its end.
  session @0 :UInt32;
  seq @1 :UInt32;
  tick @2 :UInt32;                  # that ended it; the boundary at which its seat left
  slot @3 :UInt8;
  outcome @4 :ActionOutcome;
}

struct LedgerEnd {
  seat @0 :UInt16;
  reason @1 :SessionReason;
  session @2 :UInt32;
  finalConsumed @3 :UInt32;         # commands after it are void
  opened @4 :UInt32;                # session that followed; 0 = none
  tick @5 :UInt32;                  # boundary at which it took effect
}

struct LedgerRejection {
  # Something that made its tick throw each time, and so had no effect.
  kind @0 :RejectionKind;
  seat @1 :UInt16;                  # whose command or leave; 0 for an action
  slot @2 :UInt8;                   # of an action
  tick @3 :UInt32;                  # in which it had no effect; of a leave, the boundary before
  session @4 :UInt32;               # of an action
  seq @5 :UInt32;                   # of an action

  enum RejectionKind {
    command @0;                     # what the seat's command, its held one or its bot did in the tick
    leave @1;                       # onLeave wasn't called
    action @2;                      # ended with the reason "fault" instead of being settled
  }
}

struct RoomExport {
  # What a replay elsewhere needs; not a row, but made of rows.
  formatVersion @0 :UInt16;
  roomName @1 :Text;                # kind:name
  checkpoints @2 :List(ExportedRow);  # StateRow each, oldest first
  ledger @3 :List(ExportedRow);     # LedgerRow each, oldest first
}

struct ExportedRow {
  row @0 :Data;                     # as it is stored
}
