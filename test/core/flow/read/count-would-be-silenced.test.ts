import { expect, it } from "vitest";
import { createBudgetNotice } from "../../../../core/domain/event/notices.ts";
import { createOwnIngest } from "../../../../core/flow/ingest/ingest-event.ts";
import { countWouldBeSilenced } from "../../../../core/flow/read/count-would-be-silenced.ts";
import { useWorld } from "../../../world/use-world.ts";

const WEEK = 7 * 24 * 60 * 60_000;
const allDay = (day: string) => ({ weekly: { days: [day], from: "00:00", to: "24:00", timeZone: "UTC" } });

it("the count of events that a silence would have covered depends on their time and priority, and excludes notices", async () => {
  const { deps, ws, now, post, skip } = await useWorld();
  // The first four events come on Saturdays, and the last on a Sunday.
  for (const [priority, after] of Object.entries({ LOW: WEEK, NORMAL: 0, HIGH: 0, URGENT: WEEK / 7, CRITICAL: 0 })) {
    await post({ event: "disk.full", priority });
    skip(after);
  }
  const silence = { eventKey: "disk.*", conditions: [], conditionMatch: "all", weekly: null, includeUrgent: true };
  const countSilenced = (fields: object) => countWouldBeSilenced(deps, ws, { ...silence, ...fields } as never);

  await createOwnIngest(deps)({ workspaceId: ws, ...createBudgetNotice("sms", "2026-11") });

  expect(await countSilenced({ eventKey: "*" })).toMatchObject({ events: 4, of: 5 });
  expect(await countSilenced({})).toEqual({ events: 4, of: 5, since: new Date(now() - WEEK).toISOString() });
  expect(await countSilenced(allDay("sat"))).toMatchObject({ events: 3 });
  expect(await countSilenced(allDay("sun"))).toMatchObject({ events: 1 });
  expect(await countSilenced({ includeUrgent: false })).toMatchObject({ events: 2 });
});
