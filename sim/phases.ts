import { runAdmissions, type StepOptions } from "./admissions.ts";
import type { FaultTrail } from "./context.ts";
import type { GameShape, Phase, System, SystemContext } from "./definition.ts";
import { SystemFault } from "./fault.ts";
import { dequantise, quantise } from "./quantise.ts";
import type { CompiledSchema } from "./schema.ts";
import type { Table } from "./table.ts";
import type { World } from "./world.ts";

/**
 * The phases of a tick, in the order that no game can change:
 *
 *   structure in → externals → actions admitted → input → prePhysics → physics → postPhysics   (room and prediction)
 *   → gameplay → history → replication → structure out → clock             (room only)
 *
 * History and replication are the room's, taken at the boundary after a window's last tick.
 */
const PREDICTED_PHASES = ["input", "prePhysics", "physics", "postPhysics"] as const;

export function runPredictedPhases<S extends GameShape>(
  world: World<S>,
  context: SystemContext<S> & FaultTrail,
  options: StepOptions<S>,
): void {
  runExternals(world, context);
  runAdmissions(world, context, options);
  for (const phase of PREDICTED_PHASES) runPhase(world, phase, context);
}

export function runGameplay<S extends GameShape>(
  world: World<S>,
  context: SystemContext<S> & FaultTrail,
  options: StepOptions<S>,
): void {
  options.settle?.(context);
  runPhase(world, "gameplay", context);
}

function runPhase<S extends GameShape>(
  world: World<S>,
  phase: Phase,
  context: SystemContext<S> & FaultTrail,
): void {
  const systems: readonly System<S>[] = world.game.spec.systems?.[phase] ?? [];
  for (const [index, system] of systems.entries()) {
    context.drivenSeat = undefined;
    try {
      system(context);
    } catch (cause) {
      const place = {
        tick: context.tick,
        phase,
        system: system.name || `#${index}`,
        seat: context.drivenSeat,
      };
      throw new SystemFault(place, { cause });
    }
  }
}

function runExternals<S extends GameShape>(world: World<S>, context: SystemContext<S>): void {
  const externals = world.game.spec.externals as
    | Readonly<Record<string, (entity: unknown, time: { tick: number; dt: number }) => void>>
    | undefined;
  if (!externals) return;
  for (const archetype of world.game.schema.archetypes) {
    const move = externals[archetype.name];
    if (!archetype.external || !move) continue;
    for (const entity of world.all(archetype.name as keyof S["archetypes"] & string)) {
      try {
        move(entity, context);
      } catch (cause) {
        const place = {
          tick: context.tick,
          phase: "externals",
          system: archetype.name,
          seat: undefined,
        } as const;
        throw new SystemFault(place, { cause });
      }
      snapRow(world.rowOf(entity.id)?.cells, archetype.index, world.game.schema);
    }
  }
}

/**
 * Rounds external entities to what the wire carries. Prediction reads them from the wire; with
 * unrounded values in the room, a player that touches one would be corrected for ever.
 */
export function snapExternals(schema: CompiledSchema, tables: readonly Table[]): void {
  for (const table of tables) {
    if (!table.archetype.external || table.archetype.history) continue;
    for (let row = 0; row < table.rowCount; row++) {
      if (table.idAt(row) === 0) continue;
      const base = row * table.stride;
      snapRow(table.u32.subarray(base, base + table.stride), table.archetype.index, schema);
    }
  }
}

function snapRow(cells: Uint32Array | undefined, archetype: number, schema: CompiledSchema): void {
  if (!cells) return;
  const floats = new Float32Array(cells.buffer, cells.byteOffset, cells.length);
  for (const field of schema.archetypes[archetype]?.fields ?? []) {
    if (field.kind !== "num" && field.kind !== "angle") continue;
    floats[field.cell] = dequantise(field, quantise(field, floats[field.cell] as number));
  }
}
