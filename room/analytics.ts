import { dataPoint, type RoomReport } from "./core/index.ts";

/** One point a minute and running room: 720 room-hours a month are 43,200 of the 10 million that a plan includes. */
const INTERVAL_MS = 60_000;

/**
 * Data points for Workers Analytics Engine, where a dataset is bound as `TICKROOM_ANALYTICS`. Writing one only puts it
 * into a queue of the platform's, so that no tick waits for it.
 */
export class Analytics {
  readonly #dataset: AnalyticsEngineDataset | undefined;
  #nextMs = 0;

  constructor(env: object) {
    this.#dataset = (env as { readonly TICKROOM_ANALYTICS?: AnalyticsEngineDataset }).TICKROOM_ANALYTICS;
  }

  /** Call it after windows, as often as you like. */
  offer(nowMs: number, report: () => RoomReport): void {
    if (!this.#dataset || nowMs < this.#nextMs) return;
    this.#nextMs = nowMs + INTERVAL_MS;
    this.#dataset.writeDataPoint(dataPoint(report()));
  }
}
