import { createHarness, type Harness, type OpenDisk } from "../harness/index.ts";
import { makeRange, type Range, rangeHooks } from "./game.ts";
import { type PageLog, watchPage } from "./pages.ts";
import { type Controls, type Fault, fateOf, type Schedule, scheduleOf, undoFateOf } from "./schedule.ts";
import { judge, type Verdict } from "./verdict.ts";
import { Wallet } from "./wallet.ts";

export interface RunOptions {
  /** The room's storage. *Default* memory. */
  readonly disk?: OpenDisk;
  /** What the clock shows at the beginning; far ahead of the platform's, so that its alarms don't fire by themselves. */
  readonly startMs?: number;
  /** Called between steps and after each crash: lets a real storage write what it holds. */
  readonly breathe?: () => Promise<void>;
}

/** What a run has left behind, for its judgement. */
export interface Evidence {
  readonly schedule: Schedule;
  readonly harness: Harness<Range>;
  readonly wallet: Wallet;
  /** Of all pages ever, in the order in which they began. */
  readonly pages: readonly PageLog[];
}

/** Times of input sessions, so short that runs reach them. */
const SESSIONS = { gapTimeoutTicks: 12, gapDeadlineTicks: 120, barrierTicks: 60 } as const;
/** Longer than any action waits, a barrier and an offline client's backoff included. */
const CALM_MS = 3_000;

/** Plays one schedule to its end, in peace, and judges it. Whatever goes wrong on the way is a verdict too. */
export function runSeed(seed: number, options: RunOptions = {}): Promise<Verdict> {
  return runSchedule(scheduleOf(seed), options);
}

/** The same for a schedule that somebody has made. */
export async function runSchedule(schedule: Schedule, options: RunOptions = {}): Promise<Verdict> {
  try {
    return judge(await playSchedule(schedule, options));
  } catch (error) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { lost: [], doubled: [], divergent: [`the run didn't come to its end: ${text}`] };
  }
}

/** @throws Error when it doesn't come to its end */
export async function playSchedule(schedule: Schedule, options: RunOptions = {}): Promise<Evidence> {
  const play = new Play(schedule, options);
  await play.run(options.breathe);
  return play;
}

class Play implements Evidence {
  readonly schedule: Schedule;
  readonly harness: Harness<Range>;
  readonly wallet = new Wallet();
  readonly pages: PageLog[] = [];
  /** Places in ticks that are passed before the game throws, and how often it does. */
  #throw = { in: 0, times: 0 };

  constructor(schedule: Schedule, { disk, startMs }: RunOptions) {
    this.schedule = schedule;
    const { seed, clients, windowTicks, commitEvery, firstSeq, links } = schedule;
    const game = makeRange(() => this.#probe());
    this.harness = createHarness<Range>({
      game,
      hooks: rangeHooks(() => this.#probe()),
      clients,
      seed,
      windowTicks,
      link: (index) => links[index] ?? {},
      room: { commitEvery, sessions: { ...SESSIONS, firstSeq }, maxFaults: 4 },
      roomOptions: {},
      compensations: ["buy"],
      ...(disk && { disk }),
      ...(startMs !== undefined && { startMs }),
    });
    for (const client of this.harness.clients) {
      client.inEachPage((core) => this.pages.push(watchPage(client.index, core)));
    }
    this.harness.calls.auto((call) => {
      if (call.compensates) {
        const { chargeMs, answersMs } = undoFateOf(seed, call.key, call.repeats);
        this.harness.after(chargeMs, () => this.wallet.undo(call.key));
        for (const ms of answersMs) this.harness.after(ms, () => call.answer(true));
        return;
      }
      const { chargeMs, answersMs } = fateOf(seed, call.key, call.repeats);
      const { price } = call.capture as { price: number };
      // The request is on its way already: the service charges it also when the room has died meanwhile.
      this.harness.after(chargeMs, () => {
        const answer = this.wallet.charge(call.key, price);
        for (const ms of answersMs) this.harness.after(ms - chargeMs, () => call.answer(answer));
      });
    });
  }

  async run(breathe: RunOptions["breathe"]): Promise<void> {
    const { harness, schedule } = this;
    harness.untilJoined();
    for (const { forMs, controls, faults } of schedule.steps) {
      for (const one of controls) this.#control(one, forMs);
      // Each fault falls somewhere else in the step.
      const partMs = forMs / (faults.length + 1);
      harness.advance(partMs);
      for (const fault of faults) {
        this.#apply(fault);
        harness.advance(partMs);
        await breathe?.();
      }
    }
    this.#throw.times = 0;
    harness.calm();
    harness.until(() => this.#isQuiet(), { withinMs: 30_000, what: "the end of all actions" });
    harness.advance(CALM_MS);
    harness.settle(30_000);
    // Numbers near their end run out again and again: judge at no moment in which a session has just begun.
    for (let tries = 0; tries < 5 && this.#isBetweenSessions; tries++) {
      harness.advance(300);
      harness.settle(30_000);
    }
    await breathe?.();
  }

  /** Nothing is predicted yet, or nothing of it has been executed. */
  get #isBetweenSessions(): boolean {
    const found = this.harness.disagreements();
    return found.some((one) => one.endsWith("without a command") || one.endsWith("exists only in the room"));
  }

  /** Everybody who hasn't left is back, no action of anybody waits, and nothing is left to be undone. */
  #isQuiet(): boolean {
    const { clients, room } = this.harness;
    const isAtRest = clients.every(
      (client) => client.left || (client.status === "joined" && client.stats().openActions === 0),
    );
    return isAtRest && room.stats().debts === 0;
  }

  #control({ client: index, actions, aim, ...controls }: Controls, forMs: number): void {
    const client = this.harness.client(index);
    client.input.set(controls);
    for (const [at, name] of actions.entries()) {
      this.harness.after((forMs * at) / 3, () => {
        const log = this.pages.findLast((page) => page.client === index);
        const { actions: ask } = client;
        const handle =
          name === "fire" ? ask.fire({ aim }) : name === "buy" ? ask.buy({ amount: aim > 3 }) : ask.wave();
        log?.handles.push(handle);
      });
    }
  }

  #apply(fault: Fault): void {
    const { harness } = this;
    switch (fault.what) {
      case "crash":
        harness.crashRoom(fault);
        return;
      case "repeat-alarm":
        harness.repeatAlarm();
        return;
      case "late-alarm":
        harness.delayAlarm(fault.ms);
        return;
      case "stall":
        harness.stallRoom(fault.ms);
        return;
      case "fail-commits":
        harness.store.failCommits(fault.count);
        return;
      case "throw":
        this.#throw = { in: fault.skip, times: fault.times };
        return;
      case "guest":
        this.#invite(fault);
        return;
      case "drop":
        harness.dropConnection(fault.client, fault);
        return;
      case "reload":
        harness.reloadClient(fault.client, fault);
        return;
      case "withhold": {
        const lane = harness.client(fault.client)[fault.lane];
        lane.hold();
        harness.after(fault.ms, () => lane.release());
        return;
      }
      case "lose":
        harness.client(fault.client)[fault.lane].lose(fault.count);
        return;
      case "link":
        harness.setLink(fault.client, fault.link);
        return;
      case "pause": {
        const client = harness.client(fault.client);
        client.pause(fault.clock);
        harness.after(fault.ms, () => client.resume());
        return;
      }
      default:
        fault satisfies never;
    }
  }

  #invite({ staysMs, actions }: Fault & { what: "guest" }): void {
    const { harness } = this;
    const guest = harness.join();
    guest.inEachPage((core) => this.pages.push(watchPage(guest.index, core)));
    for (const [at, name] of actions.entries()) {
      harness.after((staysMs * (at + 1)) / (actions.length + 1), () => {
        if (name === "fire") guest.actions.fire({ aim: 1 });
        else guest.actions.buy({ amount: true });
      });
    }
    harness.after(staysMs, () => guest.leave());
  }

  #probe(): void {
    this.harness.boundary();
    if (this.#throw.times === 0 || this.#throw.in-- > 0) return;
    this.#throw.times--;
    throw new Error("the game throws by chance");
  }
}
