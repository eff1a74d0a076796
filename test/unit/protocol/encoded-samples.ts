import {
  encodeClientFrame,
  encodeExport,
  encodeLedger,
  encodeReceiptRow,
  encodeRoom,
  encodeServerFrame,
} from "../../../protocol/index.ts";
import { clientFrames, serverFrames } from "./frame-samples.ts";
import { ledgerRow, receiptRow, roomExport, storedRoom } from "./row-samples.ts";
import { schema } from "./samples.ts";

/** Every frame and blob above in its encoded form, with the function that reads it. */
export const encoded = {
  client: Object.entries(clientFrames).map(([name, frame]) => ({
    name,
    bytes: encodeClientFrame(frame, schema),
  })),
  server: Object.entries(serverFrames).map(([name, frame]) => ({ name, bytes: encodeServerFrame(frame) })),
  state: { name: "state row", bytes: encodeRoom(storedRoom) },
  ledger: { name: "ledger row", bytes: encodeLedger(ledgerRow) },
  receipt: { name: "receipt row", bytes: encodeReceiptRow(receiptRow) },
  export: { name: "export", bytes: encodeExport(roomExport) },
};
