/** What a room costs, anywhere: unlike `tickroom/room`, this needs no Workers runtime. */
export { listPrice, PRICES, type Usage, unitsPerHour } from "./core/cost.ts";
