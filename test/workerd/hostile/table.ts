/** Every attack of the suite and the documented answer to it. docs/guides/limits-and-security.md prints the same table. */
export const ATTACKS = {
  "a text frame": "4401 text-frame",
  "garbage instead of a frame": "4400 bad-frame",
  "an empty frame": "4400 bad-frame",
  "a frame of one byte too many": "4402 frame-too-large",
  "a frame of a megabyte": "4402 frame-too-large",
  "a packed bomb of 16 KB that unpacks to 16 MB": "4402 frame-too-large",
  "half a frame, then the other half": "4400 bad-frame",
  "two frames in one message": "4400 bad-frame",
  "garbage on a hundred connections, one after another": "4400 bad-frame",
  "commands before the hello": "4403 hello-required",
  "a second hello": "4403 hello-required",
  "a socket that never says hello": "4404 hello-timeout",
  "thirty sockets that never say hello": "4404 hello-timeout",
  "a hello of another game": "4411 wrong-game",
  "a hello of another schema": "4413 version-schema",
  "a player who falls silent": "4405 silent",
  "claiming somebody else's input session": "a seat of its own",
  "guessing the secret of a seat": "a seat of its own",
  "steering somebody else by their input session": "ignored",
  "taking over the own seat again and again": "4423 seat-taken-over",
  "joining and leaving again and again": "1000 left",
  "commands beyond the credit": "4431 credit-exceeded",
  "a jump of a hundred thousand commands": "4431 credit-exceeded",
  "other content under a used number": "4433 digest-mismatch",
  "commands with a hole in their numbers": "asked for the missing ones",
  "confirming snapshots of the future": "ignored",
  "commands that make the game's code throw": "rejected",
  "actions that make the game's code throw": "rejected",
  "a cursor beyond its receipts": "4434 receipt-cursor",
  "a keyframe asked for in every frame": "one per snapshot",
  "a flood of valid frames": "4430 rate",
  "a flood of repeated commands": "4430 rate",
  "reading nothing": "held back",
  "a crowd of sockets from one address": "4426 too-many-connections",
  "a flood of joins from one address": "HTTP 429 too-many-requests",
  "a page of another origin": "HTTP 403 origin-not-allowed",
  "a plain request for the socket": "HTTP 426 upgrade-required",
  "a forged header that names another room": "the room of the address",
  "paths that climb out of the room's": "HTTP 404 not-found",
  "a room's private paths": "HTTP 404 not-found",
  "kinds of rooms that are words of the language": "HTTP 404 unknown-room",
  "guessing the admin token": "HTTP 404 not-found",
} as const satisfies Record<string, string>;

export type AttackName = keyof typeof ATTACKS;

/** What the bystander had of the room while somebody else was attacking it. */
export interface Calm {
  readonly commands: number;
  readonly acknowledged: number;
  readonly actions: number;
  readonly receipts: number;
  readonly windows: number;
  /** Ticks between two snapshots, at most. */
  readonly widestTicks: number;
  readonly slippedTicks: number;
  /** How late the room's windows began, on average and in the latest of its histogram's buckets. */
  readonly meanLateMs: number;
  readonly latestMs: number;
}
