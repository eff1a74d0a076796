import * as RAPIER from "@dimforge/rapier2d-deterministic";
// The package's own glue, which has to be given the instance that we make: Workers compile no WebAssembly from bytes,
// and bundlers disagree about what importing a .wasm file gives.
import * as glue from "@dimforge/rapier2d-deterministic/rapier_wasm2d_bg.js";

let started = false;

/**
 * Starts the engine from its compiled module. One instance serves all rooms of an isolate: what is made in it lives no
 * longer than one step (see engine.ts), so that rooms share nothing.
 */
export function startRapier(module: WebAssembly.Module): void {
  if (started) return;
  const { exports } = new WebAssembly.Instance(module, {
    "./rapier_wasm2d_bg.js": glue as WebAssembly.ModuleImports,
  });
  glue.__wbg_set_wasm(exports);
  started = true;
}

export { RAPIER };
