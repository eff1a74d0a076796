import { createHarness } from "tickroom/testing";
import { expect, it } from "vitest";
import { lanterns } from "./game.ts";
import { rules } from "./rules.ts";

const link = { latencyMs: 100, jitterMs: 30 };

it("lights a lantern that is in reach, and takes the ember at once", async () => {
  const harness = createHarness({ game: lanterns, hooks: rules, clients: 2, link });
  harness.untilJoined();
  const walker = harness.client(0);
  walker.input.set({ moveY: -1 });
  harness.until(() => walker.view.own?.body.y === 0, { what: "arriving at a lantern" });
  harness.settle();
  const asked = walker.actions.light();
  harness.until(() => asked.predicted !== undefined, { what: "the page's own answer" });
  expect(asked.status).not.toBe("settled");
  expect(walker.view.own?.pouch.embers).toBe(2);
  harness.until(() => asked.status === "settled", { what: "the room's answer" });
  expect(await asked.settled).toMatchObject({ result: { lit: true } });
  const flames = [...harness.room.world.all("lantern")].map(({ flame }) => flame.burnsTicks > 0);
  expect(flames.filter(Boolean).length).toBe(1);
});

it("refuses the fourth spark in a row, and lights nothing far from every lantern", async () => {
  const harness = createHarness({ game: lanterns, hooks: rules, clients: 1, link });
  harness.untilJoined();
  const asked = [1, 2, 3, 4].map(() => harness.client(0).actions.light());
  const ended = () => asked.every(({ status }) => status === "settled" || status === "rejected");
  harness.until(ended, { what: "four answers" });
  const lightless = { status: "settled", result: { lit: false } };
  const outcomes = await Promise.all(asked.map(({ settled }) => settled));
  expect(outcomes.slice(0, 3)).toMatchObject([lightless, lightless, lightless]);
  expect(outcomes[3]).toMatchObject({ status: "rejected", reason: "no embers left" });
});
