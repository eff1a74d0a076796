/** The Worker's bindings, as wrangler.toml names them. */
declare namespace Cloudflare {
  interface Env {
    readonly ARENA: DurableObjectNamespace<import("./room.ts").ArenaRoom>;
    readonly YARD: DurableObjectNamespace<import("./yard/room.ts").YardRoom>;
    readonly WALLET: DurableObjectNamespace<import("./wallet.ts").Wallet>;
  }
}
