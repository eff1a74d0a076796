import { describe, expect, it } from "vitest";
import {
  CLOSE,
  checkHello,
  closeAction,
  closeForWireError,
  closeName,
  closeReason,
  decodeClientFrame,
  encodeClientFrame,
  type HelloFrame,
  LIMITS,
  WireError,
} from "../../../protocol/index.ts";
import { clientFrames } from "./frame-samples.ts";
import { game, schema } from "./samples.ts";

const hello = clientFrames.hello as HelloFrame;

/** The verdict on a hello as the room sees it: encoded, sent, decoded, checked. */
function verdict(change: Partial<HelloFrame>) {
  const frame = decodeClientFrame(encodeClientFrame({ ...hello, ...change }, schema), schema);
  return frame.type === "hello" ? checkHello(frame, game) : "no hello";
}

describe("handshake", () => {
  it("[W2] accepts a hello of the same protocol, game, version and schema", () => {
    expect(verdict({})).toBeUndefined();
  });

  it("[W2] names what differs: protocol, game, version or schema", () => {
    expect(verdict({ protocol: 0 })).toBe("version-protocol");
    expect(verdict({ game: "chess" })).toBe("wrong-game");
    expect(verdict({ gameVersion: game.version - 1 })).toBe("version-game");
    expect(verdict({ fingerprint: hello.fingerprint ^ 1n })).toBe("version-schema");
  });

  it("[W2] tells a page that is newer than the room to come again: a deploy replaces rooms after pages", () => {
    expect(verdict({ protocol: 2 })).toBe("room-outdated");
    expect(verdict({ gameVersion: game.version + 1, fingerprint: 1n })).toBe("room-outdated");
    expect(verdict({ game: "chess", gameVersion: game.version + 1 })).toBe("wrong-game");
    expect(CLOSE["room-outdated"].action).toBe("retry");
  });

  it("[W2] tells each mismatch apart by its code and by words for the player", () => {
    const names = ["version-protocol", "wrong-game", "version-game", "version-schema"] as const;
    expect(new Set(names.map((name) => CLOSE[name].code)).size).toBe(4);
    expect(new Set(names.map((name) => CLOSE[name].reason)).size).toBe(4);
    for (const name of names) expect(CLOSE[name].action).toBe("stop");
  });

  it("[W2] judges another protocol's hello by its version, not by fields that may have changed meaning", () => {
    expect(verdict({ protocol: 9, name: "x".repeat(500), nextSeq: 0 })).toBe("room-outdated");
  });

  it("[W2] reports the protocol first when everything differs", () => {
    expect(verdict({ protocol: 0, game: "", gameVersion: 0, fingerprint: 0n })).toBe("version-protocol");
  });
});

describe("close codes", () => {
  const entries = Object.entries(CLOSE);

  it("[S4] has one number per name, in the range that applications may use", () => {
    expect(new Set(entries.map(([, { code }]) => code)).size).toBe(entries.length);
    for (const [name, { code }] of entries) {
      if (name !== "left") expect(code).toBeGreaterThanOrEqual(4400);
      expect(code).toBeLessThan(4600);
      expect(closeName(code)).toBe(name);
      expect(closeAction(code)).toBe(CLOSE[name as keyof typeof CLOSE].action);
    }
  });

  it("[S4] fits every reason into a close frame", () => {
    for (const [, { reason }] of entries) {
      expect(new TextEncoder().encode(reason).length).toBeLessThanOrEqual(LIMITS.reasonBytes);
    }
  });

  it("[S4] cuts a reason with its detail at 123 bytes, between characters", () => {
    for (let length = 0; length < 130; length++) {
      const reason = closeReason("bad-frame", `${"x".repeat(length)}🦊🦊🦊`);
      const bytes = new TextEncoder().encode(reason);
      expect(bytes.length).toBeLessThanOrEqual(LIMITS.reasonBytes);
      expect(new TextDecoder().decode(bytes)).toBe(reason);
    }
    expect(closeReason("bad-frame")).toBe(CLOSE["bad-frame"].reason);
  });

  it("[S4] retries after the network's own codes and a newer room's, and stops at a newer refusal", () => {
    for (const code of [1001, 1006, 1011, 1012, 4599]) expect(closeAction(code)).toBe("retry");
    expect(closeAction(4499)).toBe("stop");
    expect(closeName(1006)).toBeUndefined();
  });

  it("[S4] gives each refused frame its close code", () => {
    expect(closeForWireError(new WireError("too-large", ""))).toBe("frame-too-large");
    expect(closeForWireError(new WireError("seq-window", ""))).toBe("seq-window");
    expect(closeForWireError(new WireError("truncated", ""))).toBe("bad-frame");
  });
});
