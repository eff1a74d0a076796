import { expect, it } from "vitest";
import { GOLDEN_HASH, walkedHash } from "./golden.ts";
import "./yard.ts";

it("[P1][D3] Rapier comes to the same bits here as in workerd", () => {
  expect(walkedHash()).toBe(GOLDEN_HASH);
});

it("[D3] the same walk comes to the same again, whatever was made in the engine before", () => {
  const before = walkedHash();
  for (let i = 0; i < 4; i++) expect(walkedHash()).toBe(before);
});
