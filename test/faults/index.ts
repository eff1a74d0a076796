export { reportOf } from "./report.ts";
export { type Evidence, playSchedule, runSeed } from "./run.ts";
export type { Schedule } from "./schedule.ts";
export { judge, type Verdict } from "./verdict.ts";
