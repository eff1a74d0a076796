export { createWorker, type RoomNamespace, type RoomsWorker, type WorkerOptions } from "./create-worker.ts";
