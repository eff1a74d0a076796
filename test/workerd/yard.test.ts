import module from "@dimforge/rapier2d-deterministic/rapier_wasm2d_bg.wasm";
import { expect, it } from "vitest";
import { startRapier } from "../../demo/yard/rapier.ts";
import { GOLDEN_HASH, walkedHash } from "../unit/yard/golden.ts";

it("[P1][D3] Rapier comes to the same bits in workerd as on Node", () => {
  startRapier(module);
  expect(walkedHash()).toBe(GOLDEN_HASH);
});
