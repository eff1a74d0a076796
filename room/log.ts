import type { RoomLogEntry } from "./core/index.ts";

/** One JSON object per line, which is what `wrangler tail` and log pipelines can filter. */
export function writeLog(entry: RoomLogEntry): void {
  // biome-ignore lint/suspicious/noConsole: the one place where a room's log leaves the process
  console[entry.level](JSON.stringify(entry));
}
