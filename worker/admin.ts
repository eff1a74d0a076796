/** Shortest token that is taken seriously: a guessable one is worse than none. */
const MIN_TOKEN_LENGTH = 16;

/** Whether anybody can be an admin here. */
export function hasAdmin(token: string | undefined): token is string {
  return token !== undefined && token.length >= MIN_TOKEN_LENGTH;
}

/**
 * Whether a request carries the admin token, as `Authorization: Bearer …`. Without a token set nobody is an admin.
 * Digests are compared, not texts: how long that takes says nothing about how much of a guess was right [X4].
 */
export async function isAdmin(
  authorization: string | undefined,
  token: string | undefined,
): Promise<boolean> {
  if (!hasAdmin(token)) return false;
  const [, given = ""] = /^bearer (.+)$/i.exec(authorization ?? "") ?? [];
  const [a, b] = await Promise.all([digest(given), digest(token)]);
  let difference = 0;
  for (let i = 0; i < b.length; i++) difference |= (a[i] as number) ^ (b[i] as number);
  return difference === 0;
}

async function digest(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
}
