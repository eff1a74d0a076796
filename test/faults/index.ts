export { isClean, type Report, type RunResult, reportOf } from "./report.ts";
export { type Evidence, playSchedule, type RunOptions, runSchedule, runSeed } from "./run.ts";
export { type Fault, type Schedule, scheduleOf } from "./schedule.ts";
export { judge, type Verdict } from "./verdict.ts";
