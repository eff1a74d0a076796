import { closeName } from "../../../protocol/index.ts";
import { SLOT } from "../../unit/room/gunner.ts";
import { type Attack, closeOf, common, type Player } from "./stage.ts";

/** Whether the room still answers this player after what it did: a command of its own is executed. */
async function playsOn(player: Player): Promise<boolean> {
  const from = player.client.nextSeq;
  player.send(player.client.input([{ step: true }]));
  await player.until(() => player.closed !== undefined || player.client.snapshot.durable >= from);
  return player.closed === undefined;
}

async function seatOf(player: Player, bystander: Player): Promise<string> {
  await player.until(() => player.client.welcomes.length > 0 || player.closed !== undefined);
  const stolen = player.client.welcome.seat === bystander.client.welcome.seat;
  return stolen || bystander.closed ? "the bystander's seat" : "a seat of its own";
}

/** Sends until the room has had enough. */
async function flood(player: Player, message: () => Uint8Array): Promise<string> {
  for (let i = 0; i < 2_000 && !player.closed; i++) {
    player.send(message());
    // Lets the room get a word in: it can only close what it has read.
    if (i % 50 === 0) await player.turn();
  }
  return closeOf(player);
}

/** Attacks with frames that are all right in themselves. */
export const SEAT_ATTACKS = {
  "claiming somebody else's input session": async ({ stranger, bystander }) => {
    const eve = stranger();
    await eve.connect();
    eve.send(eve.client.hello({ inputSession: bystander.client.welcome.inputSession, nextSeq: 1 }));
    return seatOf(eve, bystander);
  },
  "guessing the secret of a seat": async ({ stranger, bystander }) => {
    const answers: string[] = [];
    for (let bit = 0; bit < 20; bit++) {
      const eve = stranger();
      await eve.connect();
      const secret = bystander.client.secret.map((byte, at) => (at === 0 ? byte ^ (bit + 32) : byte));
      eve.send(eve.client.hello({ overrides: { secret } }));
      answers.push(await seatOf(eve, bystander));
      eve.send(eve.client.frame({ type: "leave" }));
    }
    return common(answers);
  },
  "steering somebody else by their input session": async ({ joined, bystander }) => {
    const eve = await joined();
    const { inputSession } = bystander.client.welcome;
    eve.send(eve.client.input([{ boom: true }, { boom: true }], { from: 1, inputSession }));
    eve.client.nextSeq = 1;
    return (await playsOn(eve)) ? "ignored" : closeOf(eve);
  },
  "taking over the own seat again and again": async ({ joined }) => {
    const answers: string[] = [];
    const eve = await joined();
    for (let i = 0; i < 20; i++) {
      const before = eve.ending();
      await eve.resume();
      const { code } = await before;
      answers.push(`${code} ${closeName(code)}`);
    }
    return common(answers);
  },
  "joining and leaving again and again": async ({ joined }) => {
    const answers: string[] = [];
    for (let i = 0; i < 30; i++) {
      const eve = await joined();
      eve.send(eve.client.frame({ type: "leave" }));
      answers.push(await closeOf(eve));
    }
    return common(answers);
  },
  "commands beyond the credit": async ({ joined }) => {
    const eve = await joined();
    eve.send(eve.client.input([{ step: true }], { from: eve.client.snapshot.credit + 60 }));
    return closeOf(eve);
  },
  "a jump of a hundred thousand commands": async ({ joined }) => {
    const eve = await joined();
    eve.send(eve.client.input([{ step: true }], { from: 100_000 }));
    return closeOf(eve);
  },
  "other content under a used number": async ({ joined }) => {
    const eve = await joined();
    eve.send(eve.client.input([{ step: true }], { from: 1 }));
    eve.send(eve.client.input([{ step: false }], { from: 1 }));
    return closeOf(eve);
  },
  "commands with a hole in their numbers": async ({ joined }) => {
    const eve = await joined();
    eve.send(eve.client.input([{ step: true }, { step: true }], { from: 10 }));
    await eve.until(() => eve.closed !== undefined || eve.client.resends.length > 0);
    return eve.closed ? closeOf(eve) : "asked for the missing ones";
  },
  "confirming snapshots of the future": async ({ joined }) => {
    const eve = await joined();
    const { inputSession } = eve.client.welcome;
    eve.send(
      eve.client.frame({ type: "input", inputSession, sentAtMs: 0, ackTick: 4_000_000_000, commands: [] }),
    );
    return (await playsOn(eve)) ? "ignored" : closeOf(eve);
  },
  "commands that make the game's code throw": async ({ joined }) => {
    const eve = await joined();
    for (let i = 0; i < 10; i++) eve.send(eve.client.input([{ boom: true }]));
    return (await playsOn(eve)) ? "rejected" : closeOf(eve);
  },
  "actions that make the game's code throw": async ({ joined }) => {
    const eve = await joined();
    const jam = { calls: [{ slot: SLOT.jam, params: {} }] };
    eve.send(eve.client.input([jam, jam, jam]));
    return (await playsOn(eve)) ? "rejected" : closeOf(eve);
  },
  "a cursor beyond its receipts": async ({ joined }) => {
    const eve = await joined();
    const session = eve.client.welcome.inputSession;
    eve.send(eve.client.frame({ type: "cursor", session, cursor: 1_000, baselineId: 0 }));
    return closeOf(eve);
  },
  "a keyframe asked for in every frame": async ({ joined }) => {
    const eve = await joined();
    const keyframes = () => eve.client.snapshots.filter(({ baseTick }) => baseTick === 0).length;
    const asked = 200;
    for (let i = 1; i <= asked; i++) eve.send(eve.client.frame({ type: "keyframe", requestId: i }));
    const plays = await playsOn(eve);
    return plays && keyframes() <= eve.client.snapshots.length && keyframes() < asked / 4
      ? "one per snapshot"
      : closeOf(eve);
  },
  "a flood of valid frames": async ({ joined }) => {
    const eve = await joined();
    return flood(eve, () => eve.client.input([]));
  },
  "a flood of repeated commands": async ({ joined }) => {
    const eve = await joined();
    const batch = Array.from({ length: 100 }, (_, i) => ({ step: i % 2 === 0 }));
    return flood(eve, () => eve.client.input(batch, { from: 1 }));
  },
  "reading nothing": async ({ joined, bystander }) => {
    const eve = await joined();
    const { inputSession } = eve.client.welcome;
    const { tick: ackTick } = eve.client.snapshot;
    const ticks = () => bystander.client.snapshot.tick;
    while (ticks() < ackTick + 240 && !eve.closed) {
      // It speaks, so that it isn't taken for dead.
      eve.send(eve.client.frame({ type: "input", inputSession, sentAtMs: 0, ackTick, commands: [] }));
      await bystander.turn();
    }
    return ticks() - eve.client.snapshot.tick > 60 ? "held back" : "sent everything";
  },
} as const satisfies Record<string, Attack>;
