import { expect, it } from "vitest";

it("[T1] takes no more of the engine's memory after 6,000 steps with walkers, rays and controllers than after 600", async () => {
  const instances: WebAssembly.Instance[] = [];
  const { Instance } = WebAssembly;
  class Watched extends Instance {
    constructor(module: WebAssembly.Module, imports?: WebAssembly.Imports) {
      super(module, imports);
      instances.push(this);
    }
  }
  WebAssembly.Instance = Watched;
  const { yardWith } = await import("./yard.ts");
  WebAssembly.Instance = Instance;
  const [engine] = instances as [WebAssembly.Instance];
  const memory = engine.exports.memory as WebAssembly.Memory;
  const bytes = () => memory.buffer.byteLength;
  const harness = yardWith([
    { x: -17, y: 1 },
    { x: 4.5, y: 1.5 },
  ]);
  const play = (seconds: number) => {
    for (let i = 0; i < seconds; i++) {
      for (const { input } of harness.clients) {
        input.set({ move: i % 4 < 2 ? 1 : -1 });
        input.press("jump");
      }
      harness.advance(1000);
    }
  };
  play(10);
  const before = bytes();
  play(100);
  expect(before).toBeGreaterThan(0);
  expect(bytes()).toBe(before);
});
