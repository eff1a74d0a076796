import { describe, expect, it } from "vitest";
import { NO_ECHO } from "../../../protocol/index.ts";
import type { RoomHooks } from "../../../room/core/index.ts";
import { BoundaryView } from "../../../room/core/replication.ts";
import { CELL_EPOCH, HEADER_CELLS, type QuantisedState } from "../../../sim/index.ts";
import { type Mover, mover } from "./mover.ts";
import { Rig } from "./rig.ts";

const spawning: RoomHooks<Mover> = {
  onCreate(room) {
    for (let i = 0; i < 4; i++) room.world.spawn("crate", { place: { x: i } });
  },
  onJoin: (seat) => void seat.spawn("player"),
};

function rig(hooks: RoomHooks<Mover> = {}): Rig<Mover> {
  return new Rig<Mover>(mover, { hooks: { ...spawning, ...hooks } });
}

/** What matters of a state, in a form that can be compared. */
function rows(state: QuantisedState) {
  return Array.from({ length: state.count }, (_, row) => {
    const at = state.offsets[row] as number;
    const fields = mover.schema.archetypes[state.archetypes[row] as number]?.fields.length ?? 0;
    return {
      id: state.ids[row],
      epoch: state.epochs[row],
      archetype: state.archetypes[row],
      owner: state.owners[row],
      presence: state.presence[row],
      values: [...state.values.subarray(at, at + fields)],
    };
  });
}

describe("snapshots", () => {
  it("[R3] are a keyframe for a newcomer, then differences against the last one sent", () => {
    const room = rig();
    const ada = room.join(1);
    room.windows(3);
    expect(ada.snapshots.map(({ tick, baseTick }) => [tick, baseTick])).toEqual([
      [3, 0],
      [6, 3],
      [9, 6],
    ]);
    expect(ada.snapshot.shared.length).toBeLessThan(ada.snapshots[0]?.shared.length ?? 0);
  });

  it("[R1] add up to the room's state for every client, whenever it came", () => {
    const room = rig();
    const clients = [room.join(1)];
    for (let secret = 2; secret < 6; secret++) {
      room.windows(2);
      clients.push(room.join(secret));
      for (const client of clients) {
        if (client.welcomes.length > 0) room.command(client, { step: true }, {}, { luck: true });
      }
    }
    room.windows(2);
    const truth = rows(room.core.world.quantise());
    for (const client of clients) expect(rows(client.state)).toEqual(truth);
    expect(truth.length).toBe(4 + 5);
  });

  it("[R1] carry spawns, despawns, removed fragments and changes of owner", () => {
    const room = rig({
      onJoin(seat, api) {
        const [ada] = api.world.all("player");
        const [crate] = api.world.all("crate");
        if (seat.name === "first") seat.spawn("player", { mark: { since: 7 } });
        if (seat.name === "second") {
          ada?.detach("mark");
          if (crate) api.world.despawn(crate);
        }
        if (seat.name === "third" && ada) ada.owner = seat.id;
      },
    });
    const ada = room.join(1, { name: "first" });
    room.windows(1);
    for (const name of ["second", "third"]) {
      room.join(name.length, { name });
      room.windows(1);
      expect(rows(ada.state)).toEqual(rows(room.core.world.quantise()));
    }
    expect(ada.state.count).toBe(4);
  });

  it("[R2] give a reused id a new epoch", () => {
    const room = rig({ onJoin: () => undefined });
    const ada = room.join(1);
    room.windows(1);
    const before = rows(ada.state)[0];
    const { world } = room.core;
    const [crate] = world.all("crate");
    if (crate) world.despawn(crate);
    room.windows(1);
    world.spawn("crate");
    room.windows(1);
    const reused = rows(ada.state).find(({ id }) => id === before?.id);
    expect(reused?.epoch).toBe((before?.epoch ?? 0) + 1);
  });

  it("[P3] answer a keyframe request with a keyframe that names it, and go on from there", () => {
    const room = rig();
    const ada = room.join(1);
    room.windows(2);
    room.send(ada, ada.frame({ type: "keyframe", requestId: 9 }));
    room.windows(2);
    expect(
      ada.snapshots.slice(-2).map(({ tick, baseTick, requestId }) => [tick, baseTick, requestId]),
    ).toEqual([
      [9, 0, 9],
      [12, 9, 0],
    ]);
  });

  it("[P3] take state, watermarks and random state from one boundary", () => {
    const room = rig();
    const ada = room.join(1);
    room.windows(1);
    room.command(ada, { step: true }, { luck: true }, { step: true }, { step: true }, { step: true });
    room.windows(1);
    const { snapshot } = ada;
    expect(snapshot).toMatchObject({
      tick: 6,
      incarnation: 1,
      inputSession: 1,
      consumed: 3,
      durable: 3,
      credit: 131,
      bufferDepth: 2,
      missed: 3,
      seatRandom: room.core.world.seatRandomState(ada.welcome.seat as never),
    });
    const [own] = ada.ownRows;
    const truth = room.core.world.rowOf(own?.id ?? 0)?.cells ?? new Uint32Array();
    expect(own?.cells).toEqual(truth.slice(HEADER_CELLS));
    expect(own?.epoch).toBe(truth[CELL_EPOCH]);
    expect(snapshot.durable).toBeLessThanOrEqual(snapshot.consumed);
  });

  it("[P3] carry a seat's own predicted entities exactly and nobody else's", () => {
    const room = rig();
    const ada = room.join(1);
    const bob = room.join(2);
    room.windows(1);
    expect(ada.ownRows.map(({ owner }) => owner)).toEqual([1]);
    expect(bob.ownRows.map(({ owner }) => owner)).toEqual([2]);
  });

  it("[C1] echo the newest timestamp with how long it was held", () => {
    const room = rig();
    const ada = room.join(1);
    room.windows(1);
    expect(ada.snapshot).toMatchObject({ echoMs: 0, heldMs: NO_ECHO });
    room.pass(10);
    room.send(ada, ada.input([], { sentAtMs: 4_000_000_000 }));
    room.pass(10);
    room.send(ada, ada.input([], { sentAtMs: 4_000_000_020 }));
    room.pass(30);
    expect(ada.snapshot).toMatchObject({ echoMs: 4_000_000_020, heldMs: 30 });
  });

  it("[R4] encode what many clients need once per base", () => {
    const room = rig();
    room.join(1);
    room.windows(1);
    const base = new BoundaryView(room.core.world).state;
    const view = new BoundaryView(room.core.world);
    expect(view.differenceTo(base)).toBe(view.differenceTo(base));
    expect(view.keyframe()).toBe(view.keyframe());
  });

  it("[X2] still reach the others when one connection can't be written to", () => {
    const room = rig();
    const ada = room.join(1);
    const bob = room.join(2);
    room.windows(1);
    bob.receive = () => {
      throw new Error("gone");
    };
    room.windows(2);
    expect(ada.snapshot.tick).toBe(9);
    expect(ada.roster.find(({ seat }) => seat === bob.welcome.seat)?.connected).toBe(false);
  });
});
