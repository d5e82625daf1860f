import * as fc from "fast-check";
import { expect, it } from "vitest";
import { readEvent } from "../../../core/store/events/events.ts";
import { updateWorkspace } from "../../../core/store/people/workspaces.ts";
import { matchInParallel } from "../../world/in-parallel.ts";
import { closeWorlds, type World } from "../../world/world.ts";

/** Random numbers that decide the order of messages, and which calls fail. */
const luck = fc.array(fc.nat({ max: 1_000 }), { minLength: 30, maxLength: 60 });

const anEvent = fc.record({
  team: fc.constantFrom("ops", "web", "both"),
  times: fc.integer({ min: 1, max: 3 }),
});

it("the page limit is exact for each person, even if workers run in parallel, or repeat or reorder work, or fail", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anEvent, { minLength: 4, maxLength: 14 }),
      fc.integer({ min: 1, max: 6 }),
      luck,
      async (events, limit, lucky) => {
        const setUp = async (world: World) => {
          await updateWorkspace(world.deps, world.ws, { loudPerTenMinutes: limit });
          for (const [team, userId] of [
            ["ops", "usr_ann"],
            ["web", "usr_bob"],
          ] as const) {
            const conditions = [{ field: "data.team", operator: "one_of", value: [team, "both"] }];
            await world.rule([await world.group(team, [userId])], { name: team, conditions });
          }
        };
        const sent = events.map(({ team, times }) => ({ event: { data: { team } }, times }));
        const { world, ids } = await matchInParallel(setUp, sent, lucky);

        const step = { usr_ann: 0, usr_bob: 0 };
        const notified = { usr_ann: 0, usr_bob: 0 };
        for (const id of ids) {
          const { body } = (await readEvent(world.deps, world.ws, id))!.plan!;
          if (typeof body === "string") throw new Error("the plan is in parts");
          for (const { userId, quiet } of body.rules.flatMap(({ recipients }) => recipients)) {
            const who = userId === "usr_ann" ? "usr_ann" : "usr_bob";
            notified[who] += 1;
            if (quiet === undefined) step[who] += 1;
          }
        }

        expect(step).toEqual({
          usr_ann: Math.min(notified.usr_ann, limit),
          usr_bob: Math.min(notified.usr_bob, limit),
        });
        await closeWorlds();
      },
    ),
    { numRuns: Number(process.env["GROUP_RUNS"] ?? 8), endOnFailure: true },
  );
}, 120_000);
