export { crashAt, crashAtRefund } from "./crash-at.ts";
export { reportOf } from "./report.ts";
export { type Evidence, playSchedule, runSchedule, runSeed } from "./run.ts";
export { type Schedule, scheduleOf } from "./schedule.ts";
export { judge, type Verdict } from "./verdict.ts";
