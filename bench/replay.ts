/**
 * Runs what a room has recorded again and says whether it comes out the same, or at which tick it differs first.
 *
 *     npm run replay -- arena:lobby --url http://localhost:8787 --token …
 *     npm run replay -- arena:lobby --url http://localhost:8787 --token … --save lobby.tickroom
 *     npm run replay -- --file lobby.tickroom --game demo/game.ts#arena --rules demo/rules.ts#rules
 *
 * The token is the Worker's TICKROOM_ADMIN_TOKEN; it can also come from this process's environment.
 */
import { readFile, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { decodeExport } from "../protocol/index.ts";
import { type ReplayReport, type RoomHooks, replay } from "../room/replay.ts";
import type { Game, GameShape } from "../sim/index.ts";

/** A mistake in what was asked, to be shown without a stack. */
class UsageError extends Error {}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    url: { type: "string", default: "http://localhost:8787" },
    token: { type: "string" },
    file: { type: "string" },
    save: { type: "string" },
    game: { type: "string", default: "demo/game.ts#arena" },
    rules: { type: "string", default: "demo/rules.ts#rules" },
    json: { type: "boolean", default: false },
  },
});

async function download(room: string): Promise<Uint8Array> {
  const token = values.token ?? process.env.TICKROOM_ADMIN_TOKEN;
  if (!token) throw new UsageError("--token or TICKROOM_ADMIN_TOKEN is needed to get a room's records");
  const address = new URL(`/admin/rooms/${encodeURIComponent(room)}/export`, values.url);
  const response = await fetch(address, { headers: { authorization: `Bearer ${token}` } });
  if (!response.ok) {
    throw new UsageError(`${address} answered ${response.status}: no such room, or not this token`);
  }
  return new Uint8Array(await response.arrayBuffer());
}

/** `path/to/module.ts#name` */
async function exportOf(what: string): Promise<unknown> {
  const [path = "", name = "default"] = what.split("#", 2);
  const module = (await import(pathToFileURL(resolve(path)).href)) as Record<string, unknown>;
  if (!(name in module)) throw new UsageError(`${path} has no export "${name}"`);
  return module[name];
}

async function run(): Promise<ReplayReport> {
  const [room] = positionals;
  if (!values.file && !room) throw new UsageError("say which room (kind:name), or which --file");
  const bytes = values.file ? new Uint8Array(await readFile(values.file)) : await download(room ?? "");
  if (values.save) await writeFile(values.save, bytes);
  const game = (await exportOf(values.game)) as Game<GameShape>;
  const hooks = (await exportOf(values.rules)) as RoomHooks<GameShape>;
  return replay({ game, hooks, recorded: decodeExport(bytes) });
}

function describe({ ticks, commits, firstDifference }: ReplayReport): string {
  if (!firstDifference) return `${ticks} ticks, ${commits} commits: all of them agree`;
  const { commit, fromTick, tick, what, expected, actual } = firstDifference;
  return [
    `${ticks} ticks and ${commits} commits agree, then commit ${commit} (after tick ${fromTick}) differs`,
    `first known at tick ${tick}: ${what}`,
    `  recorded ${expected}`,
    `  replayed ${actual}`,
  ].join("\n");
}

try {
  const report = await run();
  console.log(values.json ? JSON.stringify(report) : describe(report));
  process.exitCode = report.agree ? 0 : 1;
} catch (error) {
  console.error(error instanceof UsageError ? error.message : error);
  process.exitCode = 2;
}
