import { describe, expectTypeOf, it } from "vitest";
import type { OwnArchetype, PressName, RoomClient, ViewEntity } from "../../../client-sdk/index.ts";
import type { Field } from "./games.ts";

type Client = RoomClient<Field>;
type All<N extends "player" | "lift" | "spark"> = ReturnType<typeof all<N>>;
declare function all<N extends "player" | "lift" | "spark">(name: N): ViewEntity<Field, N>;

describe("types of the client", () => {
  it("gives each archetype the fragments of its definition, and no others", () => {
    expectTypeOf<All<"player">["place"]["x"]>().toEqualTypeOf<number>();
    expectTypeOf<All<"player">>().toHaveProperty("luck");
    expectTypeOf<All<"lift">>().not.toHaveProperty("luck");
    expectTypeOf<All<"lift">>().not.toHaveProperty("attach");
    expectTypeOf<All<"player">["archetype"]>().toEqualTypeOf<"player">();
  });

  it("knows which archetype is the player's own, and which controls can be pressed", () => {
    expectTypeOf<OwnArchetype<Field>>().toEqualTypeOf<"player">();
    expectTypeOf<PressName<Field>>().toEqualTypeOf<"hop" | "gamble">();
    expectTypeOf<Parameters<Client["input"]["set"]>[0]>().toEqualTypeOf<{
      readonly moveX?: number;
      readonly moveY?: number;
      readonly hop?: boolean;
      readonly gamble?: boolean;
    }>();
  });

  it("refuses a misspelt archetype, field, control and press", () => {
    const refused = (client: Client) => {
      // @ts-expect-error no such archetype
      client.view.all("plyer");
      // @ts-expect-error no such field
      client.view.own?.place.xx;
      // @ts-expect-error what is shown can't be written
      (client.view.own as ViewEntity<Field, "player">).place.x = 3;
      // @ts-expect-error no such control
      client.input.set({ jump: true });
      // @ts-expect-error not a press control
      client.input.press("moveX");
    };
    expectTypeOf(refused).toBeFunction();
  });
});
