import { closeName } from "../../../protocol/index.ts";
import type { RoomReport } from "../../../room/index.ts";
import { type Gunner, gunner, SLOT } from "../../unit/room/gunner.ts";
import { freshName } from "../rooms.ts";
import { request, SocketClient } from "../socket-client.ts";
import type { Calm } from "./table.ts";

export type Player = SocketClient<Gunner>;
const ADMIN = { authorization: "Bearer a token for these tests only" };

/** What an attack has: a room with a player who minds their own business. */
export interface Stage {
  readonly room: string;
  readonly bystander: Player;
  /** Somebody with a secret of their own, not connected. */
  stranger(): Player;
  /** The same, in the room. */
  joined(): Promise<Player>;
}

/** Carries an attack out and says how it was answered. */
export type Attack = (stage: Stage) => Promise<string>;

export async function closeOf(player: Player): Promise<string> {
  await player.until(() => player.closed !== undefined);
  const { code = 0 } = player.closed ?? {};
  return `${code} ${closeName(code)}`;
}

export async function httpAnswer(path: string, init?: RequestInit): Promise<string> {
  const response = await request(path, init);
  const { error } = (await response.json()) as { error?: string };
  return `HTTP ${response.status}${error === undefined ? "" : ` ${error}`}`;
}

/** The answer that all of them were; otherwise each of them. */
export function common(answers: readonly string[]): string {
  return [...new Set(answers)].join(", ");
}

/** Plays on as if nothing were: three commands per snapshot, one of them with an action. */
class Bystander {
  readonly player: Player;
  #actions = 0;
  #playing = true;
  readonly #run: Promise<void>;

  constructor(player: Player) {
    this.player = player;
    this.#run = this.#play();
  }

  get windows(): number {
    return this.player.client.snapshots.length;
  }

  async #play(): Promise<void> {
    const { client } = this.player;
    while (this.#playing && !this.player.closed) {
      const seen = client.snapshots.length;
      this.#actions++;
      this.player.send(
        client.input([{ step: true, calls: [{ slot: SLOT.wave, params: {} }] }, { step: true }, {}]),
      );
      await this.player.until(() => client.snapshots.length > seen || this.player.closed !== undefined);
    }
  }

  async end(room: string, slippedBefore: number): Promise<Calm> {
    const { player } = this;
    const { client } = player;
    const most = this.windows + 20;
    await player.until(() => this.windows >= most || player.closed !== undefined);
    this.#playing = false;
    await this.#run;
    const commands = client.nextSeq - 1;
    const settled = () =>
      new Set(client.receipts.filter(({ status }) => status === "settled").map(({ seq }) => seq));
    await player.until(
      () =>
        player.closed !== undefined ||
        (client.snapshot.durable >= commands && settled().size >= this.#actions),
    );
    const report = await reportOf(room);
    const { boundsMs, counts, sumMs } = report.lateness;
    const ticks = client.snapshots.map(({ tick }) => tick);
    const latest = counts.findLastIndex((count) => count > 0);
    return {
      commands,
      acknowledged: client.snapshot.durable,
      actions: this.#actions,
      receipts: settled().size,
      windows: this.windows,
      widestTicks: Math.max(...ticks.slice(1).map((tick, i) => tick - (ticks[i] as number))),
      slippedTicks: report.slippedTicks - slippedBefore,
      meanLateMs: sumMs / report.windows,
      latestMs: boundsMs[latest] ?? Number.POSITIVE_INFINITY,
    };
  }
}

async function reportOf(room: string): Promise<RoomReport> {
  return (await request(`/admin/rooms/${room}`, { headers: ADMIN })).json();
}

export interface Outcome {
  readonly answer: string;
  readonly calm: Calm;
  readonly player: Player;
  /** Whether the bystander was still connected at the end. */
  readonly undisturbed: boolean;
}

/** Plays a bystander in a fresh room through an attack. */
export async function withBystander(attack: Attack): Promise<Outcome> {
  const room = freshName("hostile", "shop");
  let secrets = 0;
  const everybody: Player[] = [];
  const stranger = () => {
    const somebody = new SocketClient<Gunner>(room, ++secrets, gunner);
    everybody.push(somebody);
    return somebody;
  };
  const player = stranger();
  await player.join({ name: "Ada" });
  const { slippedTicks } = await reportOf(room);
  const bystander = new Bystander(player);
  const stage: Stage = {
    room,
    bystander: player,
    stranger,
    joined: async () => {
      const eve = stranger();
      await eve.join({ name: "Eve" });
      return eve;
    },
  };
  const answer = await attack(stage);
  const calm = await bystander.end(room, slippedTicks);
  const undisturbed = player.closed === undefined;
  // The room comes to rest, so that its windows aren't measured in the next one.
  for (const somebody of everybody) {
    if (!somebody.closed) somebody.send(somebody.client.frame({ type: "leave" }));
  }
  return { answer, calm, player, undisturbed };
}
