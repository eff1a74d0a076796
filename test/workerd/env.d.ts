/** Tells `cloudflare:workers` what the Worker under test exports: without it `exports` has no `default`. */
declare namespace Cloudflare {
  interface GlobalProps {
    mainModule: typeof import("./worker.ts");
    durableNamespaces: "ArenaRoom" | "Wallet" | "SparseRoom" | "ShopRoom";
  }
}
