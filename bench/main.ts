/**
 * Measurements of the project itself.
 *
 *     npm run bench -- replay [--json]  # 64 ticks computed again, in Chromium
 *     npm run bench -- rows [--json]    # rows written per commit and second, 1 to 64 players
 *     npm run bench -- feel [--json]    # prediction and presentation over good and bad links; --markdown: as docs/FEEL.md
 *     npm run bench -- shots [--json]   # 500 shots at what the screen shows at 250 ms, with lag compensation and without
 *     npm run bench -- wire [--json]    # bytes and time of snapshots, beside other systems (npm ci --prefix bench)
 *     npm run bench -- room [--json]    # a live room beside other systems and the runtime's ceiling (npm run bench:install);
 *                                       # --sizes 100,400: with so many clients
 */
import { parseArgs } from "node:util";
import { feelPage, measureFeel } from "./feel.ts";
import { measureRoom, ROOM_SIZES } from "./live.ts";
import { measureReplayCost } from "./replay-cost.ts";
import { measureRows } from "./rows.ts";
import { measureShots } from "./shots.ts";
import { measureWire } from "./wire.ts";

type Bench = (say: (text: string) => void, sizes: readonly number[]) => object | Promise<object>;

const BENCHES: Readonly<Record<string, Bench>> = {
  feel: measureFeel,
  replay: measureReplayCost,
  room: measureRoom,
  rows: measureRows,
  shots: measureShots,
  wire: measureWire,
};

try {
  const { values, positionals } = parseArgs({
    options: {
      json: { type: "boolean", default: false },
      markdown: { type: "boolean", default: false },
      sizes: { type: "string", default: ROOM_SIZES.join() },
    },
    allowPositionals: true,
  });
  const [name = ""] = positionals;
  const bench = Object.hasOwn(BENCHES, name) ? BENCHES[name] : undefined;
  if (!bench) {
    throw new Error(`there is no bench "${name}"; there are ${Object.keys(BENCHES).join(", ")}`);
  }
  const sizes = values.sizes.split(",").map(Number);
  if (!sizes.every((size) => Number.isInteger(size) && size > 0)) {
    throw new Error(`--sizes takes numbers of clients, not "${values.sizes}"`);
  }
  const report = await bench((text) => process.stderr.write(`${text}\n`), sizes);
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
