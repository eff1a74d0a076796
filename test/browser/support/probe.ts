/// <reference lib="dom" />
import type { RoomClient, Stats } from "../../../client-sdk/index.ts";
import type { Arena } from "../../../demo/game.ts";

/** What a page showed in one frame. */
export interface ShownFrame {
  readonly atMs: number;
  readonly own: { readonly x: number; readonly y: number } | undefined;
  /** Where the room last said that the own player was. */
  readonly server: { readonly x: number; readonly y: number } | undefined;
  /** The other players by seat. */
  readonly others: Readonly<
    Record<number, { readonly x: number; readonly y: number; readonly stalled: boolean }>
  >;
  readonly incarnation: number;
  readonly tick: number;
  readonly status: string;
}

export interface Probe {
  /** The page's room, as its development hook tells. */
  room(): RoomClient<Arena> | undefined;
  stats(): Stats;
  seat(): number;
  /** Frames since `record`; the recording goes on. */
  frames: ShownFrame[];
  record(): void;
  /** Presses a key in the middle of a frame and tells, in frames, when the own player is first seen to have moved. */
  framesUntilMoved(code: string): Promise<{ readonly frames: number; readonly serverMoved: boolean }>;
}

declare global {
  var arenaProbe: Probe;
}

/** What a page shows of a shot. */
export interface ShownShot {
  /** Frames from the press of the key to the first one with a flash. */
  readonly frames: number;
  /** Whether the room had answered by then. */
  readonly answered: boolean;
  /** What its list of receipts said then. */
  readonly log: string;
  /** Shots that it showed as left. */
  readonly paint: number | undefined;
}

/** Runs inside the page: shoots, and looks for the flash in the pixels around the middle of the screen. */
export function framesUntilFlash(): Promise<ShownShot> {
  const canvas = document.querySelector("canvas") as HTMLCanvasElement;
  const context = canvas.getContext("2d") as CanvasRenderingContext2D;
  const brightPixels = () => {
    const { data } = context.getImageData(canvas.width / 2 - 40, canvas.height / 2 - 40, 80, 80);
    let count = 0;
    for (let i = 0; i < data.length; i += 4) {
      if (Math.min(data[i] as number, data[i + 1] as number, data[i + 2] as number) > 235) count++;
    }
    return count;
  };
  let answered = false;
  globalThis.arenaProbe.room()?.receipts.on("fire", () => {
    answered = true;
  });
  return new Promise((resolve) => {
    let before: number | undefined;
    let frames = 0;
    const sample = () => {
      const bright = brightPixels();
      if (before === undefined) {
        before = bright;
        window.dispatchEvent(new KeyboardEvent("keydown", { code: "Space" }));
      } else if (++frames && (bright > before + 8 || frames > 60)) {
        window.dispatchEvent(new KeyboardEvent("keyup", { code: "Space" }));
        resolve({
          frames,
          answered,
          log: document.querySelector("#log")?.textContent ?? "",
          paint: globalThis.arenaProbe.room()?.view.own?.gun.paint,
        });
        return;
      }
      requestAnimationFrame(sample);
    };
    requestAnimationFrame(sample);
  });
}

/**
 * Runs inside the page. It uses nothing that a user's page couldn't: the list of rooms, their views and
 * figures, and animation frames. Its callback runs after the page's own of the same frame.
 */
export function installProbe(): void {
  const room = () => globalThis.__TICKROOM__?.rooms[0] as RoomClient<Arena> | undefined;
  const place = (entity: { pose: { x: number; y: number } } | undefined) =>
    entity && { x: entity.pose.x, y: entity.pose.y };
  const look = (atMs: number): ShownFrame | undefined => {
    const current = room();
    if (!current) return undefined;
    const { view } = current;
    const others: Record<number, { x: number; y: number; stalled: boolean }> = {};
    for (const player of view.all("player")) {
      if (!player.own) others[player.owner] = { x: player.pose.x, y: player.pose.y, stalled: player.stalled };
    }
    const server = view.own && view.server(view.own.id);
    const { incarnation, tick } = current.stats();
    return {
      atMs,
      own: place(view.own),
      server: server?.archetype === "player" ? place(server) : undefined,
      others,
      incarnation,
      tick,
      status: current.status,
    };
  };
  let recording = false;
  const probe: Probe = {
    room,
    stats: () => (room() as RoomClient<Arena>).stats(),
    seat: () => room()?.seat ?? 0,
    frames: [],
    record() {
      probe.frames = [];
      if (recording) return;
      recording = true;
      const sample = (atMs: number) => {
        const shown = look(atMs);
        if (shown) probe.frames.push(shown);
        requestAnimationFrame(sample);
      };
      requestAnimationFrame(sample);
    },
    framesUntilMoved(code) {
      return new Promise((resolve) => {
        let start: ShownFrame | undefined;
        let frames = 0;
        const sample = (atMs: number) => {
          const shown = look(atMs);
          if (start === undefined) {
            start = shown;
            window.dispatchEvent(new KeyboardEvent("keydown", { code }));
          } else {
            frames++;
            const moved = Math.hypot(
              (shown?.own?.x ?? 0) - (start.own?.x ?? 0),
              (shown?.own?.y ?? 0) - (start.own?.y ?? 0),
            );
            if (moved > 0.0005) {
              window.dispatchEvent(new KeyboardEvent("keyup", { code }));
              const serverMoved =
                shown?.server?.x !== start.server?.x || shown?.server?.y !== start.server?.y;
              resolve({ frames, serverMoved });
              return;
            }
          }
          requestAnimationFrame(sample);
        };
        requestAnimationFrame(sample);
      });
    },
  };
  globalThis.arenaProbe = probe;
}
