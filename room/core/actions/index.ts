export { ActionBook } from "./action-book.ts";
export type { CallJob } from "./call-job.ts";
export { ReceiptAsks } from "./receipt-asks.ts";
