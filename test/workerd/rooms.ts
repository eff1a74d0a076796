import { env } from "cloudflare:workers";
import type { ArenaRoom } from "../../demo/room.ts";

/** The bindings of test/workerd/wrangler.toml. */
const bindings = env as unknown as { readonly ARENA: DurableObjectNamespace<ArenaRoom> };

/** A room name that no other test has: storage and alarms outlive a test. */
export function freshName(purpose: string): string {
  return `arena:${purpose}-${crypto.randomUUID().slice(0, 8)}`;
}

export function stubOf(room: string): DurableObjectStub<ArenaRoom> {
  return bindings.ARENA.get(bindings.ARENA.idFromName(room));
}

export function freshStub(purpose: string): DurableObjectStub<ArenaRoom> {
  return stubOf(freshName(purpose));
}
