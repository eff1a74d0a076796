/** What wasm-bindgen generates; its types aren't part of the package. */
declare module "@dimforge/rapier2d-deterministic/rapier_wasm2d_bg.js" {
  export function __wbg_set_wasm(exports: WebAssembly.Exports): void;
}

declare module "@dimforge/rapier2d-deterministic/rapier_wasm2d_bg.wasm" {
  const module: WebAssembly.Module;
  // biome-ignore lint/style/noDefaultExport: it is what importing a .wasm file gives in Workers
  export default module;
}
