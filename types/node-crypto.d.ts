/** What the Workers code uses of Node's crypto. @types/node would bring Buffer, process and timers along. */
declare module "node:crypto" {
  interface Hash {
    update(data: Uint8Array | string): Hash;
    digest(): Uint8Array<ArrayBuffer>;
    digest(encoding: "hex" | "base64"): string;
  }
  export function createHash(algorithm: "sha256"): Hash;
}
