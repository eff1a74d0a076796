import { DurableObject } from "cloudflare:workers";
import { arena } from "../../demo/game.ts";
import { rules } from "../../demo/rules.ts";
import { decodeExport } from "../../protocol/index.ts";
import { replay } from "../../room/replay.ts";
import { runOnSqlite } from "./fault-run.ts";

interface FaultEnv {
  readonly FAULTS: DurableObjectNamespace;
}

/** Plays one seed on its own storage. */
export class FaultRoom extends DurableObject {
  override async fetch(request: Request): Promise<Response> {
    return Response.json(await runOnSqlite(Number(new URL(request.url).pathname.slice(1)), this.ctx.storage));
  }

  /** Without a handler no alarm can be set. The run's clock is far ahead, so that none ever fires. */
  override alarm(): void {
    throw new Error("an alarm of a run has fired by itself");
  }
}

/**
 * What `npm run faults` runs in workerd: each seed in an object of its own. Also replays an arena's records where they
 * were made: another engine's sines differ in their last bit, and a state hash sees it sooner or later.
 */
export default {
  async fetch(request: Request, env: FaultEnv): Promise<Response> {
    if (request.method === "GET") return env.FAULTS.get(env.FAULTS.idFromName(request.url)).fetch(request);
    const recorded = decodeExport(new Uint8Array(await request.arrayBuffer()));
    return Response.json(replay({ game: arena, hooks: rules, recorded }));
  },
};
