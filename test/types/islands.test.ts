import { describe, expectTypeOf, it } from "vitest";
import type { Entity, EventIdentity, SeatId } from "../../sim/index.ts";
import type { Arrows } from "../unit/prediction/arrows.ts";
import type { Pitch } from "../unit/prediction/pitch.ts";

describe("types of what is predicted", () => {
  it("[P5] an island is a property of what can be in one, and of nothing else", () => {
    expectTypeOf<Entity<Pitch, "ball">["island"]>().toEqualTypeOf<SeatId | 0>();
    expectTypeOf<Entity<Pitch, "player">>().not.toHaveProperty("island");
  });

  it("[P9] every entity says which action has spawned it, if one has", () => {
    expectTypeOf<Entity<Arrows, "arrow">["spawnedBy"]>().toEqualTypeOf<EventIdentity | undefined>();
  });
});
