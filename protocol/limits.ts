/** One bound: what is counted, in which unit, and what breaks without it. */
interface Limit {
  readonly value: number;
  readonly unit: string;
  readonly reason: string;
}

function limit(value: number, unit: string, reason: string): Limit {
  return { value, unit, reason };
}

/** Every bound of the wire and of a room's storage. docs/WIRE.md prints the same table. */
export const LIMITS = {
  frameBytesIn: limit(16_384, "bytes", "a larger client frame costs the room more than any command needs"),
  unpackedBytesIn: limit(
    16_384,
    "bytes",
    "three packed bytes can stand for 2 KiB of zeroes; the size is computed before memory is taken",
  ),
  frameBytesOut: limit(262_144, "bytes", "what a client takes from its room before it suspects the link"),
  pointerDepth: limit(5, "levels", "the deepest schema nests four; a validator must not recurse as told"),
  commandsPerFrame: limit(128, "commands", "a frame can't carry more than the credit window allows"),
  creditWindow: limit(128, "commands", "bounds the room's memory per seat: two seconds of input at 60 Hz"),
  activeWindow: limit(32_768, "commands", "16 bits tell a number apart only within half their range"),
  outcomesPerSeat: limit(256, "commands", "twice the credit window, so that any honest repeat is recognised"),
  secretBytes: limit(32, "bytes", "256 random bits can't be guessed"),
  nameCodePoints: limit(24, "code points", "names are drawn over players and repeated in every roster"),
  gameNameCodePoints: limit(64, "code points", "only compared, so long enough for any real name"),
  roomNameCharacters: limit(63, "characters", "a room's name is one label of an address"),
  reasonBytes: limit(123, "bytes", "a WebSocket close frame holds no longer reason"),
  seats: limit(256, "seats", "one roster frame names every seat, bots included"),
  entities: limit(65_535, "entities", "network ids have 16 bits"),
  helloDeadlineMs: limit(5_000, "ms", "an idle socket before its hello holds memory for nobody"),
  graceMs: limit(30_000, "ms", "a dropped player's seat is kept through a lift ride or a page reload"),
  framesPerSecond: limit(90, "frames/s", "clients batch at 20-30; three times that is a flood"),
  frameBurst: limit(270, "frames", "three seconds' worth may arrive at once after a stall of the link"),
  stagedSnapshots: limit(
    8,
    "snapshots",
    "held while their base is on its way; past it a keyframe is cheaper",
  ),
  partBytes: limit(16_384, "bytes", "receipts and baselines must not hold up the snapshots behind them"),
  baselineParts: limit(64, "parts", "what a client keeps before it can use any of it: at most 1 MiB"),
  resultBytes: limit(1_024, "bytes", "a result is stored per action and sent at least once"),
  answerBytes: limit(1_024, "bytes", "an answer is in the ledger, and may be a result"),
  captureBytes: limit(4_096, "bytes", "every pending action's capture is in every state"),
  reasonCharacters: limit(64, "code points", "a reason is a word for the game, perhaps with a number"),
  jsonDepth: limit(32, "levels", "what walks a JSON value recurses as deep as it nests"),
  pendingActions: limit(64, "actions per seat", "one seat must not fill the room's state"),
  pendingActionsPerRoom: limit(
    1_024,
    "actions",
    "with the largest captures they take most of the largest state",
  ),
  receiptsRetained: limit(
    768,
    "receipts per seat",
    "bounds the storage of a client that never confirms; an honest one may act in every tick",
  ),
  receiptRetentionMs: limit(10_000, "ms", "a confirmed receipt outlives a reload that lost the confirmation"),
  sessionsPerSeat: limit(16, "sessions", "older ones are only kept for receipts that nobody has fetched"),
  fetchRange: limit(256, "receipts", "a larger hole is better mended by a baseline"),
  gapTimeoutTicks: limit(
    30,
    "ticks",
    "half a second at 60 Hz: longer than any retransmission that still comes",
  ),
  gapDeadlineTicks: limit(300, "ticks", "a client that doesn't send a missing command for 5 s has lost it"),
  barrierTicks: limit(120, "ticks", "players wait 2 s at most for their new input session"),
  exportBytes: limit(33_554_432, "bytes", "a quarter of the memory that the room and its export share"),
  storedRowBytes: limit(2_000_000, "bytes", "a storage row holds no more than 2 MB"),
  storedStateBytes: limit(
    8_000_000,
    "bytes",
    "a state is split over a few rows; a window has to write all of it",
  ),
} as const satisfies Record<string, Limit>;
