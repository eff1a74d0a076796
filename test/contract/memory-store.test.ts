import { MemoryStore } from "../../room/core/index.ts";
import { storeContract } from "./store.ts";

storeContract("the store in memory", async (test) => {
  const store = new MemoryStore();
  await test({ store, reopen: () => store });
});
