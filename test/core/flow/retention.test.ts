import { DeleteCommand } from "@aws-sdk/lib-dynamodb";
import { expect, it } from "vitest";
import type { EventListItem } from "../../../core/domain/event/event-view.ts";
import { parsePackId, parseEventId, parseNotificationId } from "../../../core/domain/basics/ids.ts";
import { computeMondayOfWeek } from "../../../core/domain/statistics/statistics.ts";
import { listEvents, listEventsOfSite, searchEvents, type EventPosition } from "../../../core/flow/read/list-events.ts";
import { listNotifications } from "../../../core/flow/read/list-notifications.ts";
import { readStatistics } from "../../../core/flow/read/list-statistics.ts";
import { readEventView } from "../../../core/flow/read/read-event.ts";
import { runSweep } from "../../../core/flow/sweep/sweep.ts";
import { admitOwnEvent, readControl, setUsagePlan } from "../../../core/store/events/control.ts";
import { markLost } from "../../../core/store/events/sequence.ts";
import { useWorld } from "../../world/use-world.ts";
import type { World } from "../../world/world.ts";

/*
 * Thirteen months of a workspace's events in virtual time. DynamoDB deletes expired items late and in any order; nevertheless,
 * the total of each day must equal the items on its pages.
 */

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const DAYS = 396;
const SITE = "https://shop.example";
/** The number of days for which the plan keeps events, by the day from which it applies. */
const plans = new Map([
  [0, 45],
  [150, 31],
  [230, 60],
]);
const LIMIT = 9;
const OF_EVENTS = /#(?:EVENTS|NOTIFICATIONS|PLAN|ESCALATIONS|FIRINGS|NOTES)\b/;

const createSeededRandom = (seed: number) => {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
};

/** Deletes random expired items, like DynamoDB, which deletes them at most two days late and in any order. */
const deleteSomeExpired = async ({ deps, listItems }: World, random: () => number) => {
  let deleted = 0;
  for (const { pk, sk, ttl } of await listItems()) {
    if (typeof ttl !== "number" || ttl * 1000 > deps.now() || (ttl * 1000 > deps.now() - 2 * DAY && random() < 0.5))
      continue;
    await deps.table.client.send(new DeleteCommand({ TableName: deps.table.name, Key: { pk, sk } }));
    deleted += 1;
  }
  return deleted;
};

type List = (wanted: {
  page: number;
  limit: number;
  from?: EventPosition | undefined;
}) => ReturnType<typeof listEvents>;

/** Lists all pages by page number, and expects that each page shows the same total, which is the number of items. */
const listByPages = async (list: List): Promise<EventListItem[]> => {
  const items: EventListItem[] = [];
  for (let page = 1; ; page += 1) {
    const found = await list({ page, limit: LIMIT });
    items.push(...found.items);
    const isLast = page * LIMIT >= found.total;
    expect(found.next === undefined).toBe(isLast);
    if (!isLast) expect(found.items).toHaveLength(LIMIT);
    else {
      expect(items).toHaveLength(found.total);
      return items;
    }
  }
};

const listByCursors = async (list: List): Promise<EventListItem[]> => {
  const first = await list({ page: 1, limit: LIMIT });
  const items = [...first.items];
  for (let { next } = first; next !== undefined;) {
    const found = await list({ page: next.page, limit: LIMIT, from: next });
    items.push(...found.items);
    ({ next } = found);
  }
  return items;
};

const idsOf = (items: readonly { id: string }[]) => items.map(({ id }) => id);
const seqOf = (id: string) => parseEventId(id)?.seq ?? parsePackId(parseNotificationId(id)?.packId ?? "")?.seq ?? 0;

const listAllNotifications = async ({ deps, ws }: World) => {
  const items = [];
  for (let after: string | undefined, more = true; more;) {
    const page = await listNotifications(deps, ws, { limit: 50, ...(after === undefined ? {} : { after }) });
    items.push(...page.items);
    after = page.next;
    more = after !== undefined;
  }
  return items;
};

it("the event list's total equals the number of events on its pages on each simulated day, whatever was deleted meanwhile", async () => {
  const random = createSeededRandom(11);
  const world = await useWorld();
  const { deps, ws } = world;
  const ops = await world.group("Ops", ["usr_ann"]);
  await world.rule([ops], { eventKey: "disk.*", requiresAck: true });
  await world.rule([ops], { eventKey: "shop.*" });
  const received = new Map<string, number>();
  const post = async (fields: object) => {
    const answer = await world.post(fields);
    if (answer.kind === "created") received.set(answer.eventId, deps.now());
    await world.work();
  };
  let deleted = 0;
  let hidden = 0;
  let days = 0;
  let before: string[] = [];

  for (let day = 0; day < DAYS; day += 1) {
    const plan = plans.get(day);
    if (plan !== undefined) {
      const control = (await readControl(deps, ws))!;
      await setUsagePlan(deps, ws, { ...control.plan, retentionDays: plan });
      days = plan;
    }
    for (let nr = Math.floor(random() * 4); nr > 0; nr -= 1)
      await post({ event: "shop.order", ...(random() < 0.6 ? { data: { site: SITE, site_name: "Shop" } } : {}) });
    if (day % 5 === 0) await post({ event: "disk.full" });
    // A request that loses a race for its dedupeKey leaves an unused number.
    if (random() < 0.3) {
      await admitOwnEvent(deps, ws, deps.newId("req"), "seq");
      await markLost(deps, ws, [(await readControl(deps, ws))!.seq]);
    }
    world.skip(Math.floor(random() * 20) * HOUR);
    // The sweeper sometimes stops for days.
    if (day % 40 < 36) await runSweep(deps, Infinity);
    await world.work();
    if (random() < 0.25) deleted += await deleteSomeExpired(world, random);

    const list: List = (wanted) => listEvents(deps, ws, wanted);
    const shown = await listByPages(list);
    if (day % 4 === 0) {
      expect(idsOf(await listByCursors(list))).toEqual(idsOf(shown));
      const ofSite = idsOf(await listByPages((wanted) => listEventsOfSite(deps, ws, SITE, wanted)));
      const searched = await listByCursors((wanted) => searchEvents(deps, ws, { site: SITE }, wanted));
      expect(idsOf(searched)).toEqual(ofSite);
    }
    // No list shows items that were hidden before, and no item is deleted too early or too late.
    const ids = new Set(idsOf(shown));
    for (const id of ids) if (!before.includes(id)) expect(seqOf(id)).toBeGreaterThan(seqOf(before[0] ?? ""));
    const isRaised = day >= 230 && day < 300;
    for (const [id, time] of received) {
      const age = (deps.now() - time) / DAY;
      if (age < (isRaised ? 31 : days)) expect(ids.has(id)).toBe(true);
      if (age > days + 7) expect(ids.has(id)).toBe(false);
    }
    const oldest = shown.at(-1)!;
    const view = (await readEventView(deps, ws, oldest.id))!;
    expect(view.notificationsNotListed + view.notifications.length).toBe(oldest._count.notifications);
    const gone = before.filter((id) => !ids.has(id));
    for (const id of gone) expect(await readEventView(deps, ws, id)).toBeUndefined();
    hidden += gone.length;
    if (day % 9 === 0) {
      const notified = new Set((await listAllNotifications(world)).map(({ id }) => seqOf(id)));
      expect(Math.min(...notified)).toBeGreaterThanOrEqual(seqOf(oldest.id));
      for (const { id, _count } of shown) expect(notified.has(seqOf(id))).toBe(_count.notifications > 0);
      const weeks = await readStatistics(deps, ws, "workspace", {
        from: "2026-01-01",
        to: computeMondayOfWeek(deps.now()),
      });
      expect(weeks.every(({ week }) => week >= computeMondayOfWeek(deps.now() - (days + 7) * DAY))).toBe(true);
    }
    before = idsOf(shown);
    world.skip(DAY - ((deps.now() - world.start) % DAY));
  }

  // Every item of an event has an expiry.
  const endless = (await world.listItems()).filter(({ pk, ttl }) => OF_EVENTS.test(String(pk)) && ttl === undefined);
  expect(endless).toEqual([]);
  expect(hidden).toBeGreaterThan(500);
  expect(deleted).toBeGreaterThan(2_000);
  expect(deps.log.error).not.toHaveBeenCalled();
}, 120_000);
