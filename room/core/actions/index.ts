export { ActionBook } from "./action-book.ts";
export type { CallJob } from "./call-queue.ts";
export { ReceiptAsks } from "./receipt-asks.ts";
