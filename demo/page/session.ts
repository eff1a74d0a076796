import { JoinError, join, type RoomClient } from "tickroom/client";
import { type Arena, arena } from "../game.ts";
import type { Notice } from "./notice.ts";

const RETRY_MS = 1500;

/** Joins the room and says what becomes of the connection. */
export class Session {
  readonly #roomName: string;
  readonly #notice: Notice;
  room: RoomClient<Arena> | undefined;

  constructor(roomName: string, notice: Notice) {
    this.#roomName = roomName;
    this.#notice = notice;
  }

  async start(name: string): Promise<void> {
    this.#notice.show(`Connecting to ${this.#roomName} …`, "connecting");
    try {
      const room = await join(arena, { room: this.#roomName, name });
      this.room = room;
      this.#watch(room, name);
      this.#notice.show("", "joined");
    } catch (error) {
      this.#failed(error, name);
    }
  }

  leave(): void {
    this.room?.leave();
    this.room = undefined;
  }

  #watch(room: RoomClient<Arena>, name: string): void {
    room.on("reconnecting", ({ code, reason }) => {
      const why = reason === "" ? `code ${code}` : reason;
      this.#notice.show(`Connection lost (${why}). Reconnecting …`, "reconnecting");
    });
    room.on("joined", ({ resumed }) =>
      this.#notice.flash(resumed ? "Back in the room" : "Back, with a new seat", 1800),
    );
    room.on("restarted", ({ incarnation }) =>
      this.#notice.flash(`The room was restarted and goes on: incarnation ${incarnation}`),
    );
    room.on("paused", ({ paused, why }) => {
      if (why === "credit") this.#notice.show(paused ? "Waiting for the room …" : "", "joined");
    });
    room.on("closing", ({ inMs, reason }) => {
      const why = reason === "" ? "" : `: ${reason}`;
      this.#notice.flash(`The room closes in ${Math.ceil(inMs / 1000)} s${why}`, Math.max(inMs, 3500));
    });
    room.on("closed", ({ code, reason }) => {
      // Left on purpose, for another name.
      if (this.room !== room) return;
      this.#notice.show(`Out of the room: ${reason || `code ${code}`}.`, "closed");
      this.#notice.offer("Join again", () => void this.start(name));
    });
  }

  #failed(error: unknown, name: string): void {
    const passes = !(error instanceof JoinError) || error.failure === "unreachable";
    if (passes) {
      this.#notice.show("The server doesn’t answer. Trying again …", "connecting");
      setTimeout(() => void this.start(name), RETRY_MS);
      return;
    }
    this.#notice.show(`${this.#roomName}: ${error.message}.`, "closed");
    this.#notice.offer("Try again", () => void this.start(name));
  }
}
