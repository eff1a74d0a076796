import { describe, expect, it } from "vitest";
import { DOOR_ATTACKS } from "./doors.ts";
import { FRAME_ATTACKS } from "./frames.ts";
import { SEAT_ATTACKS } from "./seats.ts";
import { type Attack, withBystander } from "./stage.ts";
import { ATTACKS, type AttackName, type Calm } from "./table.ts";

declare module "vitest" {
  interface TaskMeta {
    /** For `npm run hostile`, which makes a table of it. */
    bystander?: Calm & { readonly attack: string };
  }
}

const RUNS: Record<AttackName, Attack> = { ...FRAME_ATTACKS, ...SEAT_ATTACKS, ...DOOR_ATTACKS };

describe("a bystander", () => {
  it("has, while nobody attacks, what all others compare with", async ({ task }) => {
    const { calm } = await withBystander(() => Promise.resolve(""));
    task.meta.bystander = { attack: "(nobody attacks)", ...calm };
    expect(calm).toMatchObject({ acknowledged: calm.commands, receipts: calm.actions });
  });

  it.for(Object.entries(ATTACKS) as [AttackName, string][])(
    "[X2] notices nothing of %s",
    async ([name, expected], { task }) => {
      const { answer, calm, player, undisturbed } = await withBystander(RUNS[name]);
      task.meta.bystander = { attack: name, ...calm };
      expect(answer).toBe(expected);
      expect(undisturbed).toBe(true);
      expect(calm.windows).toBeGreaterThan(20);
      // Every command once, every action one receipt, none of them lost or done twice.
      expect(calm).toMatchObject({ acknowledged: calm.commands, receipts: calm.actions });
      const numbers = player.client.receipts.map(({ number }) => number);
      expect(numbers).toEqual(numbers.map((_, i) => i + 1));
      expect(player.client.sessionNews).toEqual([]);
    },
  );
});
