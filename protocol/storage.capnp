@0xb26ddaeef43398d4;
# What a room keeps in its storage: one StateRow, and one LedgerRow per commit in recycled slots. Unpacked.
# `formatVersion` is the first field of both in every version for ever, so that a reader of any age can refuse.

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
}

struct StoredSeat {
  seat @0 :UInt16;
  isBot @1 :Bool;
  connected @2 :Bool;
  inputSession @3 :UInt32;
  consumed @4 :UInt32;
  entity @5 :UInt32;                # reference of the entity that it drives; 0 = none
  missedInARow @6 :UInt32;          # ticks
  missed @7 :UInt32;                # ticks since the input session began
  droppedAtTick @8 :UInt32;         # when its last connection ended; 0 while connected
  name @9 :Text;
  bot @10 :Text;                    # name of the bot's brain
  secretHash @11 :Data;             # SHA-256 of the seat's secret
  held @12 :Data;                   # last executed command, packed; empty = none
  digests @13 :Data;                # u32 little-endian each, of command consumed, consumed - 1, ...
  dispositions @14 :Data;           # one byte each, same order
}

struct LedgerRow {
  formatVersion @0 :UInt16;
  commit @1 :UInt32;
  fromTick @2 :UInt32;              # boundary before
  toTick @3 :UInt32;                # boundary of this commit
  incarnation @4 :UInt32;
  hash @5 :UInt64;                  # of the world at toTick
  sessions @6 :List(LedgerSession);
  joins @7 :Data;                   # seats, u16 little-endian each
  leaves @8 :Data;                  # idem
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
}
