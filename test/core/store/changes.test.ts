import { expect, it } from "vitest";
import {
  storeChangedAt,
  claimAlertKey,
  readHolder,
  readAlertEnd,
  endAlert,
} from "../../../core/store/events/alert-changes.ts";
import { createTestClock } from "../../world/clock.ts";
import { useTable } from "../../world/use-table.ts";

const { table } = await useTable();
const createInstance = (aheadMs = 0) => {
  const { deps } = createTestClock();
  return { table, now: () => deps.now() + aheadMs };
};
const here = createInstance();

it("a dedupeKey is free after its alert has ended, even on an instance whose clock is behind", async () => {
  expect(await endAlert(createInstance(8000), "ws_1", "a", { id: "evt_end", at: 20 })).toEqual({});

  expect(await claimAlertKey(here, "ws_1", "a", { eventId: "evt_alarm", sender: "key:a" }, 30)).toMatchObject({
    eventId: "evt_alarm",
  });
});

it("an alert's end that comes twice ends the same event, or is refused as late if the alert has opened again", async () => {
  await claimAlertKey(here, "ws_1", "b", { eventId: "evt_alarm", sender: "key:a" }, 10);

  expect(await endAlert(here, "ws_1", "b", { id: "evt_end", at: 20 })).toEqual({ ends: "evt_alarm" });
  expect(await endAlert(here, "ws_1", "b", { id: "evt_end", at: 20 })).toEqual({ ends: "evt_alarm" });
  expect(await readAlertEnd(here, "ws_1", "b")).toEqual({ at: 20, id: "evt_end" });

  await claimAlertKey(here, "ws_1", "b", { eventId: "evt_again", sender: "key:a" }, 30);
  expect(await endAlert(here, "ws_1", "b", { id: "evt_end", at: 20 })).toEqual({ late: true });
});

it("an older change of an alert belongs to the same event as a newer change, even if a write is repeated", async () => {
  expect(await claimAlertKey(here, "ws_1", "c", { eventId: "evt_alarm", sender: "key:a" }, 30)).toMatchObject({
    eventId: "evt_alarm",
  });
  expect(await claimAlertKey(here, "ws_1", "c", { eventId: "evt_alarm", sender: "key:a" }, 30)).toMatchObject({
    eventId: "evt_alarm",
  });
  expect(await claimAlertKey(here, "ws_1", "c", { eventId: "evt_old", sender: "key:a" }, 10)).toMatchObject({
    eventId: "evt_alarm",
  });

  expect(await readHolder(here, "ws_1", "c", 10)).toMatchObject({ eventId: "evt_alarm", isNewer: true });
});

it("an alert that ends and fires again within one second opens again, even if its tool states only seconds", async () => {
  await claimAlertKey(here, "ws_1", "f", { eventId: "evt_alarm", sender: "key:a" }, 10);
  await endAlert(here, "ws_1", "f", { id: "evt_end", at: 10 });

  expect(await claimAlertKey(here, "ws_1", "f", { eventId: "evt_again", sender: "key:a" }, 10)).toMatchObject({
    eventId: "evt_again",
  });
});

it("an alert's event keeps its dedupeKey until the alert ends, however late the next change comes", async () => {
  await claimAlertKey(here, "ws_1", "d", { eventId: "evt_alarm", sender: "key:a" }, 10);
  const later = createInstance(40 * 24 * 3_600_000);

  expect(await readHolder(later, "ws_1", "d", 40)).toMatchObject({ eventId: "evt_alarm", changed: 10 });
  expect(await claimAlertKey(later, "ws_1", "d", { eventId: "evt_again", sender: "key:a" }, 40)).toMatchObject({
    eventId: "evt_alarm",
  });
  await endAlert(later, "ws_1", "d", { id: "evt_end", at: 20 });
  expect(await readHolder(later, "ws_1", "d", 40)).toBeUndefined();
});

it("a newer change of an alert is stored only for the alert's own event, and not after that event has ended", async () => {
  await claimAlertKey(here, "ws_1", "e", { eventId: "evt_alarm", sender: "key:a" }, 10);

  expect(await storeChangedAt(here, "ws_1", "e", "evt_alarm", 30)).toBe(true);
  expect(await storeChangedAt(here, "ws_1", "e", "evt_alarm", 30)).toBe(true);
  expect(await storeChangedAt(here, "ws_1", "e", "evt_other", 40)).toBe(false);
  await endAlert(here, "ws_1", "e", { id: "evt_end", at: 35 });
  expect(await storeChangedAt(here, "ws_1", "e", "evt_alarm", 40)).toBe(false);
});
