/**
 * Measurements of the project itself.
 *
 *     npm run bench -- replay [--json]  # 64 ticks computed again, in Chromium
 *     npm run bench -- rows [--json]    # rows written per commit and second, 1 to 64 players
 *     npm run bench -- feel [--json]    # prediction and presentation over good and bad links; --markdown: as docs/FEEL.md
 *     npm run bench -- shots [--json]   # 500 shots at what the screen shows at 250 ms, with lag compensation and without
 *     npm run bench -- wire [--json]    # bytes and time of snapshots, beside other systems (npm ci --prefix bench)
 *     npm run bench -- room [--json]    # a live room beside other systems and the runtime's ceiling (npm run bench:install)
 */
import { parseArgs } from "node:util";
import { feelPage, measureFeel } from "./feel.ts";
import { measureRoom } from "./live.ts";
import { measureReplayCost } from "./replay-cost.ts";
import { measureRows } from "./rows.ts";
import { measureShots } from "./shots.ts";
import { measureWire } from "./wire.ts";

const BENCHES = {
  feel: measureFeel,
  replay: measureReplayCost,
  room: measureRoom,
  rows: measureRows,
  shots: measureShots,
  wire: measureWire,
} as const;

try {
  const { values, positionals } = parseArgs({
    options: {
      json: { type: "boolean", default: false },
      markdown: { type: "boolean", default: false },
    },
    allowPositionals: true,
  });
  const [name = ""] = positionals;
  if (!Object.hasOwn(BENCHES, name)) {
    throw new Error(`there is no bench "${name}"; there are ${Object.keys(BENCHES).join(", ")}`);
  }
  const report = await BENCHES[name as keyof typeof BENCHES]((text) => process.stderr.write(`${text}\n`));
  if (values.markdown && name === "feel")
    process.stdout.write(feelPage(report as Parameters<typeof feelPage>[0]));
  else if (values.json) console.log(JSON.stringify(report));
  else {
    for (const [group, figures] of Object.entries(report)) {
      console.log(group);
      console.table(figures);
    }
  }
  process.exit(0);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
