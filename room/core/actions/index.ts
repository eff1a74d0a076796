export { ActionBook, type ActionBookOptions } from "./action-book.ts";
export type { CallJob } from "./call-queue.ts";
export type { ActionId } from "./identity.ts";
export { ReceiptAsks } from "./receipt-asks.ts";
