/**
 * Every bound of the wire and of a room's storage: its unit, and what breaks without it. docs/WIRE.md prints the same
 * table; a test reads it from these comments, because a page has no use for the words. Constants of their own, so that
 * a page carries those that it uses.
 */

/** bytes: a larger client frame costs the room more than any command needs */
export const frameBytesIn = 16_384;

/** bytes: three packed bytes can stand for 2 KiB of zeroes; the size is computed before memory is taken */
export const unpackedBytesIn = 16_384;

/** bytes: what a client takes from its room before it suspects the link */
export const frameBytesOut = 262_144;

/** commands: a frame can't carry more than the credit window allows */
export const commandsPerFrame = 128;

/** commands: bounds the room's memory per seat: two seconds of input at 60 Hz */
export const creditWindow = 128;

/** commands: 16 bits tell a number apart only within half their range */
export const activeWindow = 32_768;

/** commands: twice the credit window, so that any honest repeat is recognised */
export const outcomesPerSeat = 256;

/** bytes: 256 random bits can't be guessed */
export const secretBytes = 32;

/** code points: names are drawn over players and repeated in every roster */
export const nameCodePoints = 24;

/** code points: only compared, so long enough for any real name */
export const gameNameCodePoints = 64;

/** characters: a room's name is one label of an address */
export const roomNameCharacters = 63;

/** bytes: a WebSocket close frame holds no longer reason */
export const reasonBytes = 123;

/** seats: one roster frame names every seat, bots included */
export const seats = 800;

/** entities: network ids have 16 bits */
export const entities = 65_535;

/** ms: an idle socket before its hello holds memory for nobody */
export const helloDeadlineMs = 5_000;

/** ms: a dropped player's seat is kept through a lift ride or a page reload */
export const graceMs = 30_000;

/** frames/s: clients batch at 20-30; three times that is a flood */
export const framesPerSecond = 90;

/** frames: three seconds' worth may arrive at once after a stall of the link */
export const frameBurst = 270;

/** ms: of snapshots on their way to one client, whose link keeps what isn't read; above any round trip and pause of a page's timers */
export const flightMs = 2_500;

/** ms: a page in the background may get to speak only once a minute; past it nobody reads */
export const behindMs = 90_000;

/** bytes/s: thirty times what commands take; large frames cost the room more than many small ones */
export const bytesPerSecond = 65_536;

/** bytes: three seconds' worth, as for frames */
export const byteBurst = 196_608;

/** commands/s: thirty full batches a second, as on a lossy link that repeats all that isn't confirmed */
export const commandsPerSecond = 3_840;

/** commands: three seconds' worth, as for frames */
export const commandBurst = 11_520;

/** ms: a peer that says nothing for so long is gone; in play both sides speak at least four times a second */
export const silenceMs = 8_000;

/** connections to a room: one address must not hold all of its seats; a family or a class still plays */
export const connectionsPerAddress = 48;

/** requests a minute: a class behind one address comes back at once, a script doesn't come in thousands */
export const joinsPerAddress = 300;

/** snapshots: held while their base is on its way; past it a keyframe is cheaper */
export const stagedSnapshots = 8;

/** bytes: receipts and baselines must not hold up the snapshots behind them */
export const partBytes = 16_384;

/** parts: what a client keeps before it can use any of it: at most 1 MiB */
export const baselineParts = 64;

/** bytes: a result is stored per action and sent at least once */
export const resultBytes = 1_024;

/** bytes: an answer is in the ledger, and may be a result */
export const answerBytes = 1_024;

/** bytes: every pending action's capture is in every state */
export const captureBytes = 4_096;

/** code points: a reason is a word for the game, perhaps with a number */
export const reasonCharacters = 64;

/** levels: what walks a JSON value recurses as deep as it nests */
export const jsonDepth = 32;

/** actions per seat: one seat must not fill the room's state */
export const pendingActions = 64;

/** actions: with the largest captures they take most of the largest state */
export const pendingActionsPerRoom = 1_024;

/** events: past it nobody tells one from another; the last ones are dropped */
export const eventsPerWindow = 128;

/** bytes: an event goes to everybody at once, between two snapshots */
export const eventBytes = 1_024;

/** ms: every boundary that a verdict can look back at is stored with each commit */
export const rewindMs = 2_000;

/** receipts per seat: bounds the storage of a client that never confirms; an honest one may act in every tick */
export const receiptsRetained = 768;

/** ms: a confirmed receipt outlives a reload that lost the confirmation */
export const receiptRetentionMs = 10_000;

/** sessions: older ones are only kept for receipts that nobody has fetched */
export const sessionsPerSeat = 16;

/** receipts: a larger hole is better mended by a baseline */
export const fetchRange = 256;

/** ticks: half a second at 60 Hz: longer than any retransmission that still comes */
export const gapTimeoutTicks = 30;

/** ticks: a client that doesn't send a missing command for 5 s has lost it */
export const gapDeadlineTicks = 300;

/** ticks: players wait 2 s at most for their new input session */
export const barrierTicks = 120;

/** windows in a row: a room that stores nothing only looks alive: after 3 s its players should know */
export const storageFailures = 60;

/** bytes: a quarter of the memory that the room and its export share */
export const exportBytes = 33_554_432;

/** bytes: a storage row holds no more than 2 MB */
export const storedRowBytes = 2_000_000;

/** bytes: a state is split over a few rows; a window has to write all of it */
export const storedStateBytes = 8_000_000;
