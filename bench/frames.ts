import type { LoadClient } from "./load-client.ts";

const FRAME_MS = 1000 / 60;

/** Calls every client 60 times a second, spread over the frame's time, until `done`. */
export function drawFrames(clients: readonly LoadClient[], done: () => boolean): Promise<void> {
  const startMs = performance.now();
  const loops = clients.map(
    (client, index) =>
      new Promise<void>((resolve) => {
        // From the start and not from the last frame: timers are late, and would make 60 frames into 58.
        let dueMs = startMs + (FRAME_MS * index) / clients.length;
        const frame = () => {
          if (done() || client.lost) {
            resolve();
            return;
          }
          const nowMs = performance.now();
          client.frame(nowMs);
          while (dueMs <= nowMs) dueMs += FRAME_MS;
          setTimeout(frame, dueMs - nowMs);
        };
        setTimeout(frame, dueMs - startMs);
      }),
  );
  return Promise.all(loops).then(() => undefined);
}
