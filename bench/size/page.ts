/** The least that a game can be: what the SDK costs every page is what a bundle of this weighs. */
import { join } from "tickroom/client";
import { action, axis, defineGame, fragment, num } from "tickroom/sim";

const game = defineGame({
  name: "least",
  version: 1,
  tickRate: 60,
  input: { x: axis() },
  fragments: { body: fragment({ x: num({ step: 0.01 }) }) },
  archetypes: { player: { fragments: ["body"], predict: "owner" } },
  actions: { wave: action({}) },
  actionRules: { wave: { admit: () => ({ admit: null }) } },
});

const room = await join(game, { room: "least:one" });
room.effects.on("wave", { play: ({ tick }) => console.log("waved at", tick) });
room.receipts.on("wave", ({ status }) => console.log(status));
room.input.set({ x: 1 });
room.actions.wave();
room.frame();
for (const { body } of room.view.all("player")) console.log(body.x);
console.log(room.stats());
