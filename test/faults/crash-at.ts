import type { Schedule } from "./schedule.ts";

const idle = { client: 0, moveX: 0.6, moveY: -0.3, brace: false, aim: 1.3, actions: [] } as const;

/** A shot and a purchase are under way, and the process ends after so many boundaries more. */
export function crashAt(skip: number, commitEvery: number): Schedule {
  const crash = { what: "crash", at: "any", skip, downMs: 20 } as const;
  return {
    seed: 21,
    clients: 1,
    commitEvery,
    windowTicks: 3,
    firstSeq: 1,
    links: [{ latencyMs: 10 }],
    steps: [
      { forMs: 300, controls: [{ ...idle, actions: ["buy"] }], faults: [] },
      // The fault falls into the middle of its step.
      { forMs: 160, controls: [{ ...idle, actions: ["fire", "wave", "buy"] }], faults: [crash] },
      { forMs: 300, controls: [idle], faults: [] },
    ],
  };
}

/** A guest has bought and leaves before the answer, so that a refund is under way when the process ends. */
export function crashAtRefund(skip: number, commitEvery: number): Schedule {
  const { steps, ...rest } = crashAt(skip, commitEvery);
  const [before, ...others] = steps as [Schedule["steps"][0], ...Schedule["steps"]];
  // Comes in the middle of the first step, and goes just before the crash is armed.
  const guest = { what: "guest", staysMs: 220, actions: ["buy", "buy"] } as const;
  return { ...rest, steps: [{ ...before, faults: [guest] }, ...others] };
}
