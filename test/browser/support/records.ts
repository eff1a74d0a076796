import { readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { arena } from "../../../demo/game.ts";
import { decodeExport, decodeLedger, decodeRoom, type LedgerRow } from "../../../protocol/index.ts";
import { RoomWorld } from "../../../sim/index.ts";

/** Shorter than from one of the room's checkpoints to the next: its records begin at the older of two. */
const FOLLOW_MS = 2000;

/** A room's records over a longer time than its ledger reaches back. */
export class Records {
  readonly rows = new Map<number, { readonly row: LedgerRow; readonly bytes: Uint8Array }>();
  checkpoint: Uint8Array | undefined;
  readonly #address: string;
  readonly #token: string;
  #timer: NodeJS.Timeout | undefined;

  constructor(url: string, room: string, token: string) {
    this.#address = `${url}/admin/rooms/${room}/export`;
    this.#token = token;
  }

  /** Adds what the room gives out from now on, often enough to miss nothing; while the server is down, nothing. */
  follow(): void {
    this.#timer = setInterval(() => void this.collect().catch(() => undefined), FOLLOW_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Adds what the room gives out now. */
  async collect(): Promise<void> {
    const response = await fetch(this.#address, { headers: { authorization: `Bearer ${this.#token}` } });
    if (!response.ok) throw new Error(`the export was refused: ${response.status}`);
    const { checkpoints, ledger } = decodeExport(new Uint8Array(await response.arrayBuffer()));
    this.checkpoint ??= checkpoints[0];
    for (const bytes of ledger) {
      const row = decodeLedger(bytes);
      this.rows.set(row.commit, { row, bytes });
    }
  }
}

export interface Charge {
  readonly key: string;
  readonly paid: number;
  readonly balance: number;
}

/** What the wallets' databases hold, of all players. */
export function chargesIn(stateDir: string): Charge[] {
  return databases(stateDir, "Wallet").flatMap((path) =>
    read(path, "SELECT key, paid, balance FROM charges").map(({ key, paid, balance }) => ({
      key: String(key),
      paid: Number(paid),
      balance: Number(balance),
    })),
  );
}

/** Guns and purses by seat, from the room's database: the room has ended. */
export function playersIn(stateDir: string, room: string) {
  for (const path of databases(stateDir, "ArenaRoom")) {
    const parts = read(path, "SELECT bytes FROM state ORDER BY part").map(({ bytes }) => bytes as Uint8Array);
    if (parts.length !== 1 || !parts[0]) continue;
    const stored = decodeRoom(parts[0], arena);
    const world = new RoomWorld(arena, 0);
    world.restore(stored.world);
    const players = [...world.all("player")].map(({ owner, gun, purse }) => ({
      seat: Number(owner),
      paint: gun.paint,
      cans: purse.cans,
      coins: purse.coins,
    }));
    return { players, pending: stored.pending.length };
  }
  throw new Error(`room ${room} isn't stored`);
}

function databases(stateDir: string, className: string): string[] {
  const folder = join(stateDir, "v3", "do", `tickroom-arena-${className}`);
  return readdirSync(folder)
    .filter((name) => name.endsWith(".sqlite") && name !== "metadata.sqlite")
    .map((name) => join(folder, name));
}

function read(path: string, query: string): Record<string, unknown>[] {
  const database = new DatabaseSync(path);
  try {
    return database.prepare(query).all() as Record<string, unknown>[];
  } finally {
    database.close();
  }
}
