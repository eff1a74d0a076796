import { LIMITS } from "../../../protocol/index.ts";
import { type Attack, closeOf, common, type Stage } from "./stage.ts";

/** Sends these messages from inside the room. */
const sending =
  (...messages: (Uint8Array | string)[]): Attack =>
  async (stage) => {
    const eve = await stage.joined();
    for (const message of messages) eve.send(message);
    return closeOf(eve);
  };

/** Tag 00 and a count: 2 bytes for 2 KiB of zeros. */
function packedBomb(): Uint8Array {
  return new Uint8Array(LIMITS.frameBytesIn).map((_, i) => (i % 2 === 0 ? 0 : 255));
}

async function silentSocket(stage: Stage): Promise<string> {
  const eve = stage.stranger();
  await eve.connect();
  return closeOf(eve);
}

/** Attacks with bytes: what isn't a frame, or not one for now. */
export const FRAME_ATTACKS = {
  "a text frame": sending("hello?"),
  "garbage instead of a frame": sending(Uint8Array.of(9, 9, 9, 250, 17)),
  "an empty frame": sending(new Uint8Array(0)),
  "a frame of one byte too many": sending(new Uint8Array(LIMITS.frameBytesIn + 1)),
  "a frame of a megabyte": sending(new Uint8Array(1_000_000)),
  "a packed bomb of 16 KB that unpacks to 16 MB": sending(packedBomb()),
  "half a frame, then the other half": async (stage) => {
    const eve = await stage.joined();
    const frame = eve.client.input([{ step: true }, { boom: false }, { step: true }]);
    eve.send(frame.slice(0, frame.length >> 1));
    eve.send(frame.slice(frame.length >> 1));
    return closeOf(eve);
  },
  "two frames in one message": async (stage) => {
    const eve = await stage.joined();
    const frame = eve.client.input([{ step: true }]);
    eve.send(Uint8Array.of(...frame, ...frame));
    return closeOf(eve);
  },
  "garbage on a hundred connections, one after another": async (stage) => {
    const answers: string[] = [];
    for (let i = 0; i < 100; i++) {
      const eve = stage.stranger();
      await eve.connect();
      eve.send(crypto.getRandomValues(new Uint8Array(1 + i * 7)));
      answers.push(await closeOf(eve));
    }
    return common(answers);
  },
  "commands before the hello": async (stage) => {
    const eve = stage.stranger();
    await eve.connect();
    eve.send(eve.client.input([{ step: true }], { inputSession: 1 }));
    return closeOf(eve);
  },
  "a second hello": async (stage) => {
    const eve = await stage.joined();
    eve.send(eve.client.hello());
    return closeOf(eve);
  },
  "a socket that never says hello": silentSocket,
  "thirty sockets that never say hello": async (stage) =>
    common(await Promise.all(Array.from({ length: 30 }, () => silentSocket(stage)))),
  "a hello of another game": async (stage) => {
    const eve = stage.stranger();
    await eve.connect();
    eve.send(eve.client.hello({ overrides: { game: "chess" } }));
    return closeOf(eve);
  },
  "a hello of another schema": async (stage) => {
    const eve = stage.stranger();
    await eve.connect();
    eve.send(eve.client.hello({ overrides: { fingerprint: 1n } }));
    return closeOf(eve);
  },
  "a player who falls silent": async (stage) => closeOf(await stage.joined()),
} as const satisfies Record<string, Attack>;
