import { describe, expect, it } from "vitest";
import type { RoomHooks } from "../../../room/core/index.ts";
import { type Mover, mover } from "./mover.ts";
import { Rig } from "./rig.ts";
import { TestClient } from "./test-client.ts";

const SECRET_BYTE = 0xa7;
const NAME = "Ada-Lovelace";

/** A room in which all goes wrong that is logged. */
function eventfulRoom() {
  let throwing = false;
  const hooks: RoomHooks<Mover> = {
    onJoin(seat) {
      if (throwing) throw new Error("the game's own words");
      seat.spawn("player");
    },
  };
  const room = new Rig(mover, { hooks });
  const ada = room.join(SECRET_BYTE, { overrides: { name: NAME } });
  room.windows(2);
  room.command(ada, { step: true });
  room.windows(1);
  room.drop(ada);
  room.resume(ada);
  room.send(ada, "text");
  room.resume(ada);
  room.windows(1);
  const stranger = new TestClient(mover, SECRET_BYTE);
  room.connect(stranger);
  room.send(stranger, stranger.hello({ overrides: { name: NAME, game: "chess" } }));
  throwing = true;
  room.join(0xb8, { overrides: { name: NAME } });
  room.windows(8);
  room.core.admin.kick(1, "spoils the game");
  room.windows(2);
  room.crash();
  return room;
}

describe("the room's log", () => {
  it("[X4] says in every line which room and tick, and for whom and why where there is somebody", () => {
    const { log } = eventfulRoom();
    const events = new Set(log.map(({ event }) => event));
    for (const event of ["joined", "refused", "fault", "join-refused", "kicked", "left"]) {
      expect(events, [...events].join()).toContain(event);
    }
    for (const line of log) {
      expect(line).toMatchObject({ room: "mover:test", tick: expect.any(Number) });
      if (line.event !== "joined" && line.event !== "left")
        expect(line.reason, line.event).toBeTypeOf("string");
    }
    for (const line of log.filter(({ event }) => ["joined", "kicked", "left"].includes(event))) {
      expect(line.seat).toBe(1);
    }
    expect(log.find(({ event }) => event === "refused")).toMatchObject({ seat: 1, reason: "text-frame" });
  });

  it("[X3] holds neither a seat's secret, in any writing, nor its hash, nor a player's name", () => {
    const { log } = eventfulRoom();
    const text = JSON.stringify(log);
    const secret = Buffer.alloc(16, SECRET_BYTE);
    for (const writing of ["hex", "base64", "base64url", "latin1"] as const) {
      expect(text.toLowerCase()).not.toContain(secret.toString(writing).toLowerCase().slice(0, 12));
    }
    expect(text).not.toContain([...secret].slice(0, 4).join());
    expect(text).not.toContain(NAME);
  });

  it("[X4] is kept to its newest lines for whoever looks at the room", () => {
    const { core, nowMs, ...rest } = eventfulRoom();
    void rest;
    for (let i = 0; i < 1000; i++) core.watch.log({ level: "info", event: "refused", reason: String(i) });
    const { log } = core.watch.view(10);
    expect(log).toHaveLength(200);
    expect(log.at(-1)).toMatchObject({ reason: "999", atMs: nowMs });
  });
});
