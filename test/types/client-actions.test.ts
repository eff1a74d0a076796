import { describe, expectTypeOf, it } from "vitest";
import type { ActionOutcome, RoomClient } from "../../client-sdk/index.ts";
import { action, angle, axis, defineGame, fragment, json, num, type ShapeOf } from "../../sim/index.ts";

const game = defineGame({
  name: "types",
  version: 1,
  tickRate: 60,
  input: { moveX: axis() },
  fragments: { body: fragment({ x: num({ step: 0.01 }) }) },
  archetypes: { player: { fragments: ["body"], predict: "owner" } },
  actions: {
    fire: action({ params: { aim: angle() }, result: json<{ readonly hit: boolean }>() }),
    wave: action(),
  },
  actionRules: {
    fire: { admit: () => ({ admit: null }) },
    wave: { admit: () => ({ admit: null }) },
  },
});
type Shape = ShapeOf<typeof game>;
declare const room: RoomClient<Shape>;

describe("types of a room's actions", () => {
  it("[A1] take the parameters that the game declares, and none where it declares none", () => {
    type Calls = RoomClient<Shape>["actions"];
    expectTypeOf<Parameters<Calls["fire"]>>().toEqualTypeOf<[params: { readonly aim: number }]>();
    expectTypeOf<Parameters<Calls["wave"]>>().toEqualTypeOf<[]>();
    expectTypeOf<keyof Calls>().toEqualTypeOf<"fire" | "wave">();
  });

  it("[A2] give the result that the game declares, once the status says that there is one", () => {
    expectTypeOf<Awaited<ReturnType<(typeof room)["actions"]["fire"]>["settled"]>>().toEqualTypeOf<
      ActionOutcome<Shape, "fire">
    >();
    const use = (outcome: ActionOutcome<Shape, "fire">) => {
      if (outcome.status === "settled")
        expectTypeOf(outcome.result).toEqualTypeOf<{ readonly hit: boolean }>();
      if (outcome.status === "rejected") expectTypeOf(outcome.reason).toEqualTypeOf<string>();
      // @ts-expect-error without asking for the status there is no result
      outcome.result;
    };
    expectTypeOf(use).toBeFunction();
    const listen = () =>
      room.receipts.on("wave", (receipt) => {
        expectTypeOf(receipt.action).toEqualTypeOf<"wave">();
        if (receipt.status === "settled") expectTypeOf(receipt.result).toEqualTypeOf<null>();
      });
    expectTypeOf(listen).toBeFunction();
    // @ts-expect-error a misspelt action
    const refused = () => room.receipts.on("wafe", () => undefined);
    expectTypeOf(refused).toBeFunction();
  });
});
