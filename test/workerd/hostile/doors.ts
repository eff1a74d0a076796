import { LIMITS } from "../../../protocol/index.ts";
import { type Attack, closeOf, common, httpAnswer } from "./stage.ts";

const upgrade = { upgrade: "websocket" };

/** Attacks before there is a connection. */
export const DOOR_ATTACKS = {
  "a crowd of sockets from one address": async ({ stranger }) => {
    const from = { "cf-connecting-ip": "203.0.113.7" };
    for (let i = 0; i < LIMITS.connectionsPerAddress; i++) await stranger().connect(from);
    const last = stranger();
    await last.connect(from);
    return closeOf(last);
  },
  "a flood of joins from one address": async ({ room }) => {
    const join = () =>
      httpAnswer(`/rooms/${room}/join`, { method: "POST", headers: { "cf-connecting-ip": "203.0.113.8" } });
    const answers: string[] = [];
    // In two of the limiter's minutes, should one begin meanwhile.
    for (let i = 0; i < 2 * LIMITS.joinsPerAddress + 1; i++) answers.push(await join());
    return common(answers.filter((answer) => answer !== "HTTP 200"));
  },
  "a page of another origin": ({ room }) =>
    httpAnswer(`/rooms/${room}/socket`, { headers: { ...upgrade, origin: "https://evil.example" } }),
  "a plain request for the socket": ({ room }) => httpAnswer(`/rooms/${room}/socket`),
  "a forged header that names another room": async ({ room, stranger }) => {
    const eve = stranger();
    await eve.connect({ "x-partykit-room": "shop:another", "x-partykit-namespace": "arena" });
    eve.send(eve.client.hello());
    await eve.until(() => eve.client.welcomes.length > 0 || eve.closed !== undefined);
    return eve.client.welcome.roomName === room ? "the room of the address" : eve.client.welcome.roomName;
  },
  "paths that climb out of the room's": async ({ room }) =>
    common(
      await Promise.all(
        [
          `/rooms/${room}/../../export`,
          `/rooms/${room}/socket/../export`,
          `/rooms/${room}/%2e%2e/%2e%2e/admin/rooms/${room}`,
          `/rooms/${room}//export`,
          `/rooms/${room}/..%2fexport`,
          `/rooms/${room}/socket%00`,
          `/ROOMS/${room}/export`,
        ].map((path) => httpAnswer(path, { headers: upgrade })),
      ),
    ),
  "a room's private paths": async ({ room }) =>
    common(
      await Promise.all(
        ["report", "metrics", "view", "state", "export", "kick", "close", "open", "create"].flatMap(
          (path) => [
            httpAnswer(`/rooms/${room}/${path}`),
            httpAnswer(`/rooms/${room}/${path}`, { method: "POST" }),
          ],
        ),
      ),
    ),
  "kinds of rooms that are words of the language": async () =>
    common(
      await Promise.all(
        ["constructor", "prototype", "arguments", "eval"].map((kind) =>
          httpAnswer(`/rooms/${kind}:lobby/join`, { method: "POST" }),
        ),
      ),
    ),
  "guessing the admin token": async ({ room }) => {
    const guesses = ["", "admin", "a token for these tests onlx", "a token for these tests only.", "null"];
    return common(
      await Promise.all(
        guesses.flatMap((guess) => [
          httpAnswer(`/admin/rooms/${room}`, { headers: { authorization: `Bearer ${guess}` } }),
          httpAnswer(`/admin/rooms/${room}/kick`, {
            method: "POST",
            headers: { authorization: `Bearer ${guess}` },
            body: '{"seat":1}',
          }),
        ]),
      ),
    );
  },
} as const satisfies Record<string, Attack>;
