/**
 * What a month costs at Cloudflare's list prices, line by line.
 *
 *     npm run cost -- --players 8 --tick 60 --windows 20 --hours 100
 *     npm run cost -- --players 8 --hours 100 --commit-every 4 --actions 10 --json
 */
import { parseArgs } from "node:util";
import { billOf, type Plan } from "./cost-model.ts";

const DEFAULTS = {
  players: "8",
  tick: "60",
  windows: "20",
  "commit-every": "1",
  actions: "0",
  hours: "100",
  minutes: "20",
  rooms: "100",
  megabytes: "1",
} as const;

/** The paid plan's price a month. */
const PLAN_DOLLARS = 5;

function planOf(values: Readonly<Record<keyof typeof DEFAULTS, string>>): Plan {
  const number = (name: keyof typeof DEFAULTS, least: number): number => {
    const value = Number(values[name]);
    if (!(value >= least) || value === Number.POSITIVE_INFINITY)
      throw new Error(`--${name} must be a number from ${least} on, not "${values[name]}"`);
    return value;
  };
  const plan: Plan = {
    players: number("players", 0),
    tick: number("tick", 1),
    windows: number("windows", 1),
    commitEvery: number("commit-every", 1),
    actions: number("actions", 0),
    hours: number("hours", 0),
    minutes: number("minutes", 1),
    rooms: number("rooms", 0),
    megabytes: number("megabytes", 0),
  };
  if (!Number.isInteger(plan.tick / plan.windows))
    throw new Error(`a window is a whole number of ticks: ${plan.tick} aren't ${plan.windows} windows`);
  return plan;
}

const dollars = (amount: number) => `$${amount.toFixed(2)}`.padStart(10);

try {
  const option = (value: string) => ({ type: "string", default: value }) as const;
  const { values } = parseArgs({
    options: {
      players: option(DEFAULTS.players),
      tick: option(DEFAULTS.tick),
      windows: option(DEFAULTS.windows),
      "commit-every": option(DEFAULTS["commit-every"]),
      actions: option(DEFAULTS.actions),
      hours: option(DEFAULTS.hours),
      minutes: option(DEFAULTS.minutes),
      rooms: option(DEFAULTS.rooms),
      megabytes: option(DEFAULTS.megabytes),
      json: { type: "boolean", default: false },
    },
  });
  const plan = planOf(values);
  const lines = billOf(plan);
  const sum = (which: "list" | "bill") =>
    Object.values(lines).reduce((total, line) => total + line[which], 0);
  const list = sum("list");
  const bill = PLAN_DOLLARS + sum("bill");
  const perRoomHour = plan.hours === 0 ? 0 : (list - lines.storage.list) / plan.hours;
  if (values.json) console.log(JSON.stringify({ plan, lines, list, bill, perRoomHour }));
  else {
    console.log(
      `${plan.hours} room-hours a month of ${plan.players} players, ${plan.tick} ticks/s, ${plan.windows} windows/s,`,
      `a commit every ${plan.commitEvery}, ${plan.actions} actions a minute each; ${plan.rooms} rooms of ${plan.megabytes} MB\n`,
    );
    console.log(
      `${"".padEnd(16)}${"units".padStart(16)} ${"".padEnd(10)}${"list price".padStart(11)}${"billed".padStart(11)}`,
    );
    for (const [name, { units, unit, ...price }] of Object.entries(lines)) {
      const amount = units.toLocaleString("en-GB", { maximumFractionDigits: 2 });
      console.log(
        `${name.padEnd(16)}${amount.padStart(16)} ${unit.padEnd(10)} ${dollars(price.list)} ${dollars(price.bill)}`,
      );
    }
    console.log(`${"plan".padEnd(44)}${dollars(0)} ${dollars(PLAN_DOLLARS)}`);
    console.log(`${"a month".padEnd(44)}${dollars(list)} ${dollars(bill)}`);
    console.log(
      `\nA room-hour is $${perRoomHour.toFixed(4)} at list price. "billed" takes off what the plan includes, as if nothing else used it.`,
    );
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
