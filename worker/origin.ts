/**
 * Whether a browser page may join: one served from here, or, between ports of this machine, any. A request
 * without an origin comes from no page, so that there is no visitor whose rights it could abuse.
 */
export function isOwnOrigin(origin: string | undefined, url: string): boolean {
  if (origin === undefined) return true;
  const page = parse(origin);
  const here = new URL(url);
  return page !== undefined && (page.host === here.host || (isLocal(page) && isLocal(here)));
}

function isLocal({ hostname }: URL): boolean {
  return hostname === "localhost" || hostname === "127.0.0.1" || hostname === "[::1]";
}

/** A sandboxed frame has the origin "null", which is no address. */
function parse(origin: string): URL | undefined {
  return URL.canParse(origin) ? new URL(origin) : undefined;
}
