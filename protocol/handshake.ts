import type { CloseName } from "./close-codes.ts";
import { type HelloFrame, PROTOCOL_VERSION } from "./frame-types.ts";

/** What two builds must share to understand each other. A `Game` is one. */
export interface GameIdentity {
  readonly name: string;
  readonly version: number;
  readonly schema: { readonly fingerprint: bigint };
}

/**
 * The reason to refuse a hello, or undefined. The order matters: behind another protocol version no other field can
 * be believed, and another version of the same game is better advice than another fingerprint.
 */
export function checkHello(hello: HelloFrame, game: GameIdentity): CloseName | undefined {
  if (hello.protocol > PROTOCOL_VERSION) return "room-outdated";
  if (hello.protocol !== PROTOCOL_VERSION) return "version-protocol";
  if (hello.game !== game.name) return "wrong-game";
  // A deploy replaces running rooms minutes after the pages: a page from then must not be told to reload for ever.
  if (hello.gameVersion > game.version) return "room-outdated";
  if (hello.gameVersion !== game.version) return "version-game";
  if (hello.fingerprint !== game.schema.fingerprint) return "version-schema";
  return undefined;
}
