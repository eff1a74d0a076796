import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { type Yard, yard } from "../../../demo/yard/game.ts";
import { startRapier } from "../../../demo/yard/rapier.ts";
import { rules } from "../../../demo/yard/rules.ts";
import { createHarness, type Harness, type HarnessOptions } from "../../harness/index.ts";

const folder = dirname(
  createRequire(import.meta.url).resolve("@dimforge/rapier2d-deterministic/package.json"),
);

startRapier(new WebAssembly.Module(readFileSync(join(folder, "rapier_wasm2d_bg.wasm"))));

export { rules, type Yard, yard };

export interface Place {
  readonly x: number;
  readonly y: number;
}

/** A yard whose players begin at these places, without bots. */
export function yardWith(
  places: readonly Place[],
  options: Partial<HarnessOptions<Yard>> = {},
): Harness<Yard> {
  const harness = createHarness<Yard>({
    game: yard,
    hooks: {
      ...rules,
      onJoin: (seat) => void seat.spawn("walker", { pose: places[seat.id - 1] ?? { x: 0, y: 1 } }),
    },
    clients: places.length,
    roomOptions: { bots: 0 },
    ...options,
  });
  harness.untilJoined();
  harness.advance(2000);
  return harness;
}

export function walkerOf(harness: Harness<Yard>, client: number) {
  const { seat } = harness.client(client);
  for (const walker of harness.room.world.all("walker")) if (walker.owner === seat) return walker;
  throw new Error(`client ${client} has no walker`);
}
