import { DeleteCommand } from "@aws-sdk/lib-dynamodb";
import { expect, it } from "vitest";
import { sumCounts, TOP_LEVEL } from "../../../core/domain/event/lost-numbers.ts";
import { createOwnIngest } from "../../../core/flow/ingest/ingest-event.ts";
import { snoozeUntil } from "../../../core/flow/respond/respond.ts";
import { writeNote } from "../../../core/flow/respond/write-note.ts";
import { explainNotification } from "../../../core/flow/read/explain-notification.ts";
import { listEvents, listEventsOfSite } from "../../../core/flow/read/list-events.ts";
import { listNotifications } from "../../../core/flow/read/list-notifications.ts";
import { readStatistics } from "../../../core/flow/read/list-statistics.ts";
import { listNotificationsAfter, readEventView } from "../../../core/flow/read/read-event.ts";
import { simulateHistory } from "../../../core/flow/read/simulate.ts";
import { runSweep } from "../../../core/flow/sweep/sweep.ts";
import { readControl, setUsagePlan } from "../../../core/store/events/control.ts";
import { setLastNumber, readLostCounts } from "../../../core/store/events/sequence.ts";
import { useWorld } from "../../world/use-world.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const SITE = "https://shop.example";
const ann = { id: "usr_ann", name: "Ann" };

const createShop = async (retentionDays = 31) => {
  const world = await useWorld();
  const { deps, ws } = world;
  const ops = await world.group("Ops", ["usr_ann"]);
  await world.rule([ops]);
  const setRetention = async (days: number) =>
    setUsagePlan(deps, ws, { ...(await readControl(deps, ws))!.plan, retentionDays: days });
  await setRetention(retentionDays);
  const post = async (fields: object = {}) => {
    const answer = await world.post({ data: { site: SITE, site_name: "Shop" }, ...fields });
    await world.work();
    return answer.eventId;
  };
  const passDays = async (days: number) => {
    for (let left = days; left > 0; left -= 1) {
      world.skip(DAY);
      await runSweep(deps, Infinity);
      await world.work();
    }
  };
  const list = async (wanted = { page: 1, limit: 50 }) => {
    const { total, items } = await listEvents(deps, ws, wanted);
    return { total, ids: items.map(({ id }) => id) };
  };
  return { ...world, post, passDays, setRetention, list };
};

it("an event that is past retention is never shown, although it is still stored", async () => {
  const { deps, ws, post, passDays, list } = await createShop();
  const old = await post();
  await passDays(3);
  const young = await post();
  const first = await listEvents(deps, ws, { page: 1, limit: 1 });
  const ofSite = await listEventsOfSite(deps, ws, SITE, { page: 1, limit: 1 });
  const notification = (await readEventView(deps, ws, old))!.notifications[0]!.id;
  await passDays(30);

  expect(await list()).toEqual({ total: 1, ids: [young] });
  expect(await listEventsOfSite(deps, ws, SITE, { page: 1, limit: 50 })).toMatchObject({
    total: 1,
    items: [{ id: young }],
    next: undefined,
  });
  // Cursors that were issued while the event was shown return no events.
  expect(await listEvents(deps, ws, { page: 2, limit: 1, from: first.next! })).toMatchObject({ total: 1, items: [] });
  expect(await listEventsOfSite(deps, ws, SITE, { page: 2, limit: 1, from: ofSite.next! })).toMatchObject({
    total: 1,
    items: [],
  });
  expect((await listNotifications(deps, ws, { limit: 50 })).items.map(({ event }) => event.id)).toEqual([young]);
  expect(await readEventView(deps, ws, old)).toBeUndefined();
  expect(await listNotificationsAfter(deps, ws, old, undefined)).toBeUndefined();
  expect(await explainNotification(deps, ws, notification)).toBeUndefined();
  await expect(writeNote(deps, ws, old, ann, "Late")).rejects.toMatchObject({ kind: "not_found" });
  expect((await simulateHistory(deps, ws, { rules: [], onCall: [], days: 90 })).events).toBe(1);
  expect((await readEventView(deps, ws, young))?.notifications).toHaveLength(1);
});

it("a shorter retention hides events at once, and a longer retention does not bring them back", async () => {
  const { post, passDays, setRetention, list } = await createShop(400);
  await post();
  await passDays(40);
  const young = await post();
  await passDays(1);
  expect((await list()).total).toBe(2);

  await setRetention(31);
  expect(await list()).toEqual({ total: 1, ids: [young] });

  await setRetention(400);
  expect(await list()).toEqual({ total: 1, ids: [young] });
  await passDays(29);
  expect(await list()).toEqual({ total: 1, ids: [young] });
});

it("deleted events past retention do not count as lost, however late the audit is", async () => {
  const { deps, ws, post, passDays, listItems, skip } = await createShop();
  for (let nr = 0; nr < 3; nr += 1) await post();
  // The list computes its total from the last event number of each day, which is stored here.
  await setLastNumber(deps, ws, "2026-11-21", 3);
  skip(45 * DAY);
  for (const { pk, sk } of await listItems())
    if (String(pk).includes("#EVENTS"))
      await deps.table.client.send(new DeleteCommand({ TableName: deps.table.name, Key: { pk, sk } }));
  await passDays(3);

  expect(sumCounts(await readLostCounts(deps, ws, TOP_LEVEL, 0))).toBe(0);
  expect((await listEvents(deps, ws, { page: 1, limit: 50 })).total).toBe(0);
});

it("a sweeper whose clock is a day behind stores the last event number under the newest stored day, not under an earlier day", async () => {
  const { deps, ws, listItems } = await createShop();
  await setLastNumber(deps, ws, "2026-11-22", 5);
  await setLastNumber(deps, ws, "2026-11-21", 7);

  const days = (await listItems()).filter((item) => String(item["sk"]).includes("2026-11-2") && "last" in item);
  expect(days.map(({ sk, last }) => [String(sk).slice(-10), last])).toEqual([["2026-11-22", 7]]);
});

it("a notice of the service is created once, even if it is requested again after retention", async () => {
  const { deps, ws, skip, listItems } = await createShop();
  const content = { eventKey: "quota.reached", title: "80 %", body: "", priority: "HIGH" as const };
  const requestNotice = () => createOwnIngest(deps)({ workspaceId: ws, content, once: "quota 80" });
  const made = await requestNotice();
  skip(50 * DAY);
  for (const { pk, sk, ttl } of await listItems())
    if (typeof ttl === "number" && ttl * 1000 <= deps.now())
      await deps.table.client.send(new DeleteCommand({ TableName: deps.table.name, Key: { pk, sk } }));

  expect([made?.first, await requestNotice()]).toEqual([true, { eventId: made?.eventId, first: false }]);
});

it("a week of statistics is shown as long as one of its days is within retention", async () => {
  const { deps, ws, post, passDays } = await createShop();
  await post();
  const weeks = { from: "2026-11-16", to: "2027-12-31" };
  await passDays(31);
  const still = await readStatistics(deps, ws, "workspace", weeks);
  await passDays(2);

  // The event came on a Saturday, so no day of its week is left on the second Monday after the 31 days.
  expect(still).toMatchObject([{ week: "2026-11-16", counts: { events: 1 } }]);
  expect(await readStatistics(deps, ws, "workspace", weeks)).toEqual([]);
});

it("an event can be snoozed day after day, but not beyond its retention", async () => {
  const { deps, ws, post, skip, work, pushed } = await createShop();
  const asked = await post({ requiresAck: true });
  const snoozeUntilRefused = async () => {
    for (let day = 0; ; day += 1) {
      try {
        await snoozeUntil(deps, ws, asked, ann, { minutes: 1440 });
      } catch {
        return day;
      }
      skip(DAY - HOUR);
      await work();
    }
  };

  expect(await snoozeUntilRefused()).toBe(29);
  expect(await readEventView(deps, ws, asked)).toMatchObject({ state: "acknowledged" });
  expect(pushed.length).toBeGreaterThan(0);
});
