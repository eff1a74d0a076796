import { type Connection, RoomCore, type RoomLogEntry } from "../../room/core/index.ts";
import type { GameShape } from "../../sim/index.ts";
import { Calls, type HarnessCall } from "./calls.ts";
import type { RoomPort } from "./client-options.ts";
import { HarnessStore } from "./harness-store.ts";
import type { HarnessOptions } from "./options.ts";
import type { ProcessLife } from "./process-life.ts";
import { type RoomPorts, RoomProcess } from "./room-process.ts";
import { digestOf, seedFor } from "./seeds.ts";

export interface RoomSideParts<S extends GameShape> {
  readonly options: HarnessOptions<S>;
  readonly seed: number;
  readonly now: () => number;
  /** Every frame that a client hands to its link. */
  readonly sent: (bytes: Uint8Array) => void;
  /** Every frame that reaches a client. */
  readonly delivered: (bytes: Uint8Array) => void;
  /** All connections broke. */
  readonly onCrash: () => void;
}

/** The room, its process and its storage, and the ends of everything that leads out of it. */
export class RoomSide<S extends GameShape> {
  readonly store: HarnessStore;
  readonly calls: Calls;
  readonly process: RoomProcess<S>;
  readonly port: RoomPort;
  /** What the room logged, its dead incarnations included. */
  readonly log: RoomLogEntry[] = [];
  readonly #parts: RoomSideParts<S>;

  constructor(parts: RoomSideParts<S>) {
    const { options, now, onCrash } = parts;
    this.#parts = parts;
    this.store = new HarnessStore(options.disk, options.stored);
    this.calls = new Calls({
      get nowMs() {
        return now();
      },
      deliver: (life, call, value) => this.#deliver(life, call, value),
      compensates: (action) => options.compensations?.includes(action) ?? false,
    });
    if (options.calls) this.calls.auto(options.calls);
    const newRoom = (ports: RoomPorts) => this.#newRoom(ports);
    const crashed = () => {
      this.calls.clear();
      onCrash();
    };
    this.process = new RoomProcess({ store: this.store, newRoom, onCrash: crashed }, now());
    this.port = this.#openPort();
  }

  #openPort(): RoomPort {
    const { process } = this;
    const { now, sent, delivered } = this.#parts;
    return {
      get nowMs() {
        return now();
      },
      connect: (connection) => {
        if (!process.isUp) return false;
        process.call(now(), (room) => room.connect(mortal(connection, process.life), now()));
        return true;
      },
      receive: (id, bytes) => {
        process.call(now(), (room) => room.receive(id, bytes.slice().buffer, now()));
      },
      disconnect: (id) => process.call(now(), (room) => room.disconnect(id, now())),
      sent,
      delivered,
    };
  }

  #deliver(life: ProcessLife, { key, compensates }: HarnessCall, value: unknown): void {
    const { process } = this;
    const { now } = this.#parts;
    process.call(now(), (room) => {
      if (process.life !== life) return;
      if (compensates) room.compensated(key, now());
      else room.answer(key, value, now());
    });
  }

  #newRoom({ store, life }: RoomPorts): RoomCore<S> {
    const { options, seed } = this.#parts;
    const { game, hooks = {}, windowTicks = 3, room = {} } = options;
    return new RoomCore<S>({
      game,
      roomName: "test:harness",
      hooks,
      store,
      calls: this.calls.openFor(life),
      seed: seedFor(seed, "room"),
      hashSecret: (secret) => digestOf(secret),
      log: (entry) => {
        if (life.alive) this.log.push(entry);
      },
      windowTicks,
      ...room,
    });
  }
}

/** A connection as a process has it: nothing goes out after the process's end. */
function mortal(connection: Connection, life: ProcessLife): Connection {
  const through = (act: () => void) => {
    life.pass("before-send");
    act();
    life.pass("after-send");
  };
  return {
    id: connection.id,
    send: (bytes) => through(() => connection.send(bytes)),
    close: (code, reason) => through(() => connection.close(code, reason)),
  };
}
