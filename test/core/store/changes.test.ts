import { expect, it } from "vitest";
import { claimChange, setEnd, readNewerEnd, readStandIn } from "../../../core/store/changes.ts";
import { testClock } from "../../world/clock.ts";
import { useTable } from "../../world/use-table.ts";

const { table } = await useTable();
const instance = (aheadMs = 0) => {
  const { deps } = testClock();
  return { table, now: () => deps.now() + aheadMs };
};
const here = instance();

it("a key is free after an end, also for an instance whose clock is behind", async () => {
  expect(await setEnd(instance(8000), "ws_1", "a", { id: "evt_end", at: 20 })).toEqual({});

  expect(await claimChange(here, "ws_1", "a", { eventId: "evt_alarm", by: "key:a" }, 30)).toMatchObject({
    eventId: "evt_alarm",
  });
});

it("an end that is noted twice ends the same event, and a newer change keeps it from that", async () => {
  await claimChange(here, "ws_1", "b", { eventId: "evt_alarm", by: "key:a" }, 10);

  expect(await setEnd(here, "ws_1", "b", { id: "evt_end", at: 20 })).toEqual({ ends: "evt_alarm" });
  expect(await setEnd(here, "ws_1", "b", { id: "evt_end", at: 20 })).toEqual({ ends: "evt_alarm" });
  expect(await readNewerEnd(here, "ws_1", "b", { at: 10, owner: "key:a" })).toBe("evt_end");
  expect(await readNewerEnd(here, "ws_1", "b", { at: 20, owner: "key:a" })).toBeUndefined();

  await claimChange(here, "ws_1", "b", { eventId: "evt_again", by: "key:a" }, 30);
  expect(await setEnd(here, "ws_1", "b", { id: "evt_end", at: 20 })).toEqual({ late: true });
});

it("a change is claimed once, whoever repeats the write, and stands for those that are older", async () => {
  expect(await claimChange(here, "ws_1", "c", { eventId: "evt_alarm", by: "key:a" }, 30)).toMatchObject({
    eventId: "evt_alarm",
  });
  expect(await claimChange(here, "ws_1", "c", { eventId: "evt_alarm", by: "key:a" }, 30)).toMatchObject({
    eventId: "evt_alarm",
  });
  expect(await claimChange(here, "ws_1", "c", { eventId: "evt_old", by: "key:a" }, 10)).toMatchObject({
    eventId: "evt_alarm",
  });

  const later = instance(3_600_000);
  expect(await readStandIn(later, "ws_1", "c", 10, { consistent: true })).toMatchObject({ eventId: "evt_alarm" });
  expect(await readStandIn(later, "ws_1", "c", 40, { consistent: true })).toBeUndefined();
});
