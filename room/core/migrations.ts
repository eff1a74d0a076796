import { decodeRoom, encodeRoom, type StoredRoom, WireError } from "../../protocol/index.ts";
import {
  type CompiledAction,
  type CompiledSchema,
  type Game,
  type GameShape,
  packCommand,
  RoomWorld,
  unpackCalls,
  unpackCommand,
} from "../../sim/index.ts";
import { StateError } from "./state-error.ts";

/** A step from one version of a game to a later one, as `migration` makes it. */
export interface Migration {
  readonly from: Game;
  readonly to: Game;
  readonly convert: ((world: RoomWorld, old: RoomWorld) => void) | undefined;
}

/**
 * How a stored room of an older version of a game goes on in a later one. Entities are found again by the names of
 * archetypes, fragments and fields; what is new has its default.
 * @param from the older definition; its systems and rules are never run
 * @param convert does in the new world what names alone don't say; `old` is the world as it was stored
 * @throws TypeError when ticks or actions of the two can't mean the same
 */
export function migration<A extends GameShape, B extends GameShape>(
  from: Game<A>,
  to: Game<B>,
  convert?: (world: RoomWorld<B>, old: RoomWorld<A>) => void,
): Migration {
  const where = `migration of "${from.name}" from version ${from.version} to ${to.version}`;
  if (from.name !== to.name) throw new TypeError(`${where}: "${to.name}" is another game`);
  if (from.version >= to.version) throw new TypeError(`${where}: versions only rise`);
  // Deadlines and grace times are stored in ticks.
  if (from.tickRate !== to.tickRate) throw new TypeError(`${where}: the tick rate can't change`);
  for (const [slot, action] of from.schema.actions.entries()) {
    const now = to.schema.actions[slot];
    // An action's number is part of the key that a call is made under: another one would be charged again.
    if (!now || carried(action) !== carried(now)) {
      throw new TypeError(
        `${where}: action "${action.name}" must stay number ${slot} with the same parameters; new ones go to the end`,
      );
    }
  }
  return { from, to, convert } as unknown as Migration;
}

function carried({ name, params, rewind }: CompiledAction): string {
  return JSON.stringify([name, params, rewind]);
}

/**
 * A stored state in the form of the game that is about to run it, as far as there are migrations to it.
 * @throws StateError when a migration fails; nothing that is stored has changed then
 */
export function migrated(
  state: Uint8Array,
  game: Game,
  migrations: readonly Migration[],
): { readonly bytes: Uint8Array; readonly fromVersion: number | undefined } {
  let bytes = state;
  let fromVersion: number | undefined;
  // Each step leads to a higher version, so that this ends. Without steps nothing is decoded only to be looked at.
  while (migrations.length > 0 && read(bytes, game) === undefined) {
    const step = migrations.find(({ from }) => read(bytes, from) !== undefined);
    if (!step) break;
    fromVersion ??= step.from.version;
    bytes = take(step, read(bytes, step.from) as StoredRoom);
  }
  return { bytes, fromVersion };
}

/** The stored room, if it is one of this very definition. */
function read(bytes: Uint8Array, game: Game): StoredRoom | undefined {
  try {
    return decodeRoom(bytes, game);
  } catch (error) {
    if (error instanceof WireError) return undefined;
    throw error;
  }
}

function take({ from, to, convert }: Migration, stored: StoredRoom): Uint8Array {
  const world = new RoomWorld(to, 0);
  try {
    const old = new RoomWorld(from, 0);
    old.restore(stored.world);
    world.carry(old);
    convert?.(world, old);
    world.commitStructure();
  } catch (cause) {
    throw new StateError(
      `the migration from version ${from.version} to ${to.version} failed: ${String(cause)}`,
      {
        cause,
      },
    );
  }
  const packed = <T extends { readonly params: Uint8Array }>(action: T): T => {
    return { ...action, params: repack(action.params, from.schema, to.schema) };
  };
  return encodeRoom({
    ...stored,
    gameVersion: to.version,
    fingerprint: to.schema.fingerprint,
    world: world.save(),
    hash: world.hash(),
    seats: stored.seats.map((seat) => {
      const held = seat.held.length > 0 ? repack(seat.held, from.schema, to.schema) : seat.held;
      return { ...seat, held };
    }),
    pending: stored.pending.map(packed),
    debts: stored.debts.map(packed),
    // Nobody has a page that has seen them.
    poses: [],
  });
}

/** A packed command in another definition: controls by their names, actions by their numbers. */
function repack(bytes: Uint8Array, from: CompiledSchema, to: CompiledSchema): Uint8Array {
  const controls = unpackCommand(from, bytes) as Readonly<Record<string, number | boolean>>;
  return packCommand(to, controls, unpackCalls(from, bytes, 0));
}
