import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import {
  decodeClientFrame,
  decodeEntities,
  decodeServerFrame,
  encodeClientFrame,
  encodeEntities,
  encodeServerFrame,
} from "../../protocol/index.ts";
import { QuantisedState } from "../../sim/index.ts";
import { contents } from "../unit/protocol/arbitrary-states.ts";
import { clientFrames, serverFrames } from "../unit/protocol/frame-samples.ts";
import { schema, stateAt } from "../unit/protocol/samples.ts";
import { decodeSection } from "./protocol-second-decoder.ts";

// Bytes that were once written and what they mean: a change of the format shows in them, and another decoder can be
// tried against them. After an intended change: `vitest run --project scenarios protocol-golden -u`.

const GOLDEN = fileURLToPath(new URL("./golden-frames.txt", import.meta.url));
const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");
const bytesOf = (hex: string) => new Uint8Array(Buffer.from(hex, "hex"));

/** What the reference tool says of a frame. */
function textOf(type: string, bytes: Uint8Array): string {
  const path = fileURLToPath(new URL("../../protocol/frames.capnp", import.meta.url));
  return execFileSync("capnp", ["decode", "--packed", path, type], {
    input: bytes,
    stdio: "pipe",
  }).toString();
}

const sections = [
  { name: "keyframe", base: QuantisedState.empty(), state: stateAt(60) },
  { name: "difference", base: stateAt(60), state: stateAt(63) },
];

function goldenText(): string {
  const parts: string[] = [];
  for (const [name, frame] of Object.entries(clientFrames)) {
    const bytes = encodeClientFrame(frame, schema);
    parts.push(`## client: ${name}\n${hexOf(bytes)}\n${textOf("ClientFrame", bytes)}`);
  }
  for (const [name, frame] of Object.entries(serverFrames)) {
    const bytes = encodeServerFrame(frame);
    parts.push(`## server: ${name}\n${hexOf(bytes)}\n${textOf("ServerFrame", bytes)}`);
  }
  for (const { name, base, state } of sections) {
    const bytes = encodeEntities(schema, base, state);
    const rows = decodeSection(schema, contents(base), bytes, state.tick);
    const lines = rows.map((row) => JSON.stringify(row)).join("\n");
    parts.push(`## section: ${name}, tick ${base.tick} to ${state.tick}\n${hexOf(bytes)}\n${lines}\n`);
  }
  return parts.join("\n");
}

describe("golden frames", () => {
  it("[W1][W2] are written as ever, and mean the same to the reference tool and to another decoder", async () => {
    await expect(goldenText()).toMatchFileSnapshot(GOLDEN);
  });

  it("[W1] are read as what they were written from", () => {
    const hex = new Map(
      readFileSync(GOLDEN, "utf8")
        .split("## ")
        .slice(1)
        .map((part) => part.split("\n").slice(0, 2) as [string, string]),
    );
    for (const [name, frame] of Object.entries(clientFrames)) {
      expect(decodeClientFrame(bytesOf(hex.get(`client: ${name}`) as string), schema)).toEqual(frame);
    }
    for (const [name, frame] of Object.entries(serverFrames)) {
      expect(decodeServerFrame(bytesOf(hex.get(`server: ${name}`) as string))).toEqual(frame);
    }
    for (const { name, base, state } of sections) {
      const bytes = bytesOf(hex.get(`section: ${name}, tick ${base.tick} to ${state.tick}`) as string);
      expect(contents(decodeEntities(schema, base, bytes, state.tick))).toEqual(contents(state));
    }
  });
});
