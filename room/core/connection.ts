/**
 * One accepted link to a client, as the core sees it. `id` is unique in the room's memory and chosen by
 * the server's side: one that the client could choose would let it impersonate another's connection.
 */
export interface Connection {
  readonly id: string;
  /** Whom to count it for: the network address that it comes from; undefined when there is nobody to tell apart. */
  readonly address?: string | undefined;
  /** Hands a frame over. The bytes may be reused by the caller once the call returned. */
  send(bytes: Uint8Array): void;
  close(code: number, reason: string): void;
}
