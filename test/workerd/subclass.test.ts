import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { type Arena, arena } from "../../demo/game.ts";
import { type BotBrain, type JoinRequest, Room, type RoomApi, type RoomStats } from "../../room/index.ts";
import { freshStub } from "./rooms.ts";

/** What a user writes: a class with methods of its own instead of hooks. */
class Lobby extends Room(arena) {
  override bots: Record<string, BotBrain<Arena>> = { idle: () => ({}) };

  override onCreate(room: RoomApi<Arena>, options: unknown): void {
    const { count } = options as { count: number };
    for (let i = 0; i < count; i++) room.addBot("idle", { name: `Bot ${i}` }).spawn("player");
  }

  override authorize({ name }: JoinRequest): true | { refuse: string } {
    return name === "Eve" ? { refuse: "not you" } : true;
  }
}

describe("a class that extends Room(game)", () => {
  it("[T8] has its own methods and bots called, as hooks would be", () =>
    runInDurableObject(freshStub("subclass"), async (_, state) => {
      const lobby = new Lobby(state, {} as Cloudflare.Env);
      await lobby.onStart();
      const body = JSON.stringify({ count: 3 });
      const created = await lobby.onRequest(new Request("https://room/create", { method: "POST", body }));
      expect(created.status).toBe(201);
      const stats: RoomStats = await (await lobby.onRequest(new Request("https://room/stats"))).json();
      expect(stats).toMatchObject({ bots: 3, entities: 3, state: "sleeping" });
      expect(lobby.authorize({ name: "Eve", room: "arena:x" })).toEqual({ refuse: "not you" });
    }));
});
