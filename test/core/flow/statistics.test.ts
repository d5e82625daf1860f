import { expect, it } from "vitest";
import type { EventView } from "../../../core/domain/event/event-view.ts";
import {
  toStatisticsView,
  computeMondayOfWeek,
  type StatisticsView,
} from "../../../core/domain/statistics/statistics.ts";
import { acknowledgeEvents, resolveEvent } from "../../../core/flow/respond/lifecycle.ts";
import { searchEvents } from "../../../core/flow/read/list-events.ts";
import { readEventView } from "../../../core/flow/read/read-event.ts";
import { runSweep } from "../../../core/flow/sweep/sweep.ts";
import { listStatisticsRows } from "../../../core/store/events/statistics.ts";
import { useWorld } from "../../world/use-world.ts";
import { stepTo } from "../../world/world.ts";

/** The number of events in the year. STATISTICS_EVENTS=1000 tests more. */
const EVENTS = Number(process.env["STATISTICS_EVENTS"] ?? 15);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const ann = { id: "usr_ann", name: "Ann" };

/** Creates a generator of random numbers from 0 to 1 that are the same in every run. */
const createSeededRandom = (seed: number) => {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
};

const hourIn = (timeZone: string, iso: string): number =>
  Number(new Intl.DateTimeFormat("en-GB", { timeZone, hour: "2-digit", hourCycle: "h23" }).format(new Date(iso)));
const isNight = (timeZone: string, iso: string): boolean => {
  const hour = hourIn(timeZone, iso);
  return hour >= 22 || hour < 7;
};

type Expected = Pick<StatisticsView, "events" | "toAcknowledge" | "notifications" | "notificationsAtNight"> & {
  acknowledged: number[];
  resolved: number[];
};

it("the statistics of a year equal a recount, whatever fails while they are counted", async () => {
  const random = createSeededRandom(7);
  let isFaulty = false;
  const world = await useWorld({
    beforeCall: async ({ input }) => {
      const pk = input.Item?.pk ?? input.Key?.["pk"];
      if (isFaulty && pk?.endsWith("#STATISTICS") === true && random() < 0.1) throw new Error("no answer");
    },
  });
  const { deps, ws } = world;
  const ops = await world.group("Ops", ["usr_ann", "usr_abe"]);
  const boss = await world.group("Boss", ["usr_bob"]);
  await world.schedule(ops, {
    timeZone: "America/New_York",
    layers: [{ start: "2026-01-01T09:00:00", every: 1, unit: "week", participants: ["usr_ann", "usr_abe"] }],
  });
  const escalationPolicyId = await world.policy([stepTo(boss, 5)], { repeat: 1 });
  const down = await world.rule([ops], { eventKey: "site.down", requiresAck: true, escalationPolicyId });
  const shop = await world.rule([boss, ops], { eventKey: "shop.*" });
  const quiet = await world.rule([boss], { eventKey: "shop.calm", priorityOverride: "LOW" });

  const end = world.now() + 365 * DAY;
  const ids: string[] = [];
  let later: { at: number; act: () => Promise<unknown> }[] = [];
  const runAudit = async () => {
    isFaulty = true;
    for (let tries = 0; tries < 50; tries += 1)
      try {
        await runSweep(deps, Infinity);
        break;
      } catch {
        // The next sweep continues where this one failed.
      }
    isFaulty = false;
  };
  const passUntil = async (at: number) => {
    for (const { at: due, act } of later.filter((one) => one.at <= at).toSorted((one, other) => one.at - other.at)) {
      world.skip(Math.max(0, due - world.now()));
      await act();
      await world.work();
    }
    later = later.filter((one) => one.at > at);
    world.skip(Math.max(0, at - world.now()));
    if (random() < 0.5 || at > end) await runAudit();
  };
  for (let index = 0; index < EVENTS; index += 1) {
    await passUntil(world.now() + random() * 2 * ((365 * DAY) / EVENTS));
    const event = ["site.down", "site.down", "shop.sold", "shop.calm", "nobody.cares"][index % 5]!;
    const { eventId } = await world.post({ event, title: `Event ${index}`, dedupeKey: `key-${index}` });
    await world.work();
    ids.push(eventId);
    const isQuick = random() < 0.5;
    if (isQuick) await world.runFor(random() * 4 * MINUTE);
    else await world.runFor((6 + random() * 20) * MINUTE);
    const acknowledge = () => acknowledgeEvents(deps, ws, [eventId], ann);
    if (isQuick) await acknowledge();
    else if (random() < 0.6) later.push({ at: world.now() + random() * 3 * DAY, act: acknowledge });
    const at = world.now() + random() * 20 * DAY;
    if (random() < 0.3) later.push({ at, act: () => resolveEvent(deps, ws, eventId, ann, undefined) });
    else if (random() < 0.5)
      later.push({
        at,
        act: async () => {
          ids.push((await world.post({ event: "site.up", title: "Up", resolves: `key-${index}` })).eventId);
        },
      });
  }
  await passUntil(Math.max(end, world.now()) + 30 * DAY);
  for (let round = 0; round < 12; round += 1) await passUntil(world.now() + 2 * HOUR);

  const expected = new Map<string, Expected>();
  const expectedOf = (event: EventView, subject: string): Expected => {
    const name = `${computeMondayOfWeek(Date.parse(event.receivedAt))} ${subject}`;
    const row = expected.get(name) ?? {
      events: 0,
      toAcknowledge: 0,
      notifications: 0,
      notificationsAtNight: 0,
      acknowledged: [],
      resolved: [],
    };
    expected.set(name, row);
    return row;
  };
  // The service's own notices are counted as well, but for no rule and no group.
  const notices = await searchEvents(deps, ws, { eventKey: "service.*" }, { page: 1, limit: 100 });
  for (const id of [...ids, ...notices.items.map((notice) => notice.id)]) {
    const view = (await readEventView(deps, ws, id))!;
    // People added by a person or by a handoff are not notified by a rule.
    const event = { ...view, notifications: view.notifications.filter(({ added }) => added === null) };
    const groupOf = ({ rule, escalationStep, user }: EventView["notifications"][number]) =>
      escalationStep > 0 || rule.id === quiet.id || user.id === "usr_bob" ? boss : ops;
    const subjects = [
      "all",
      ...event.matchedRules.map((rule) => rule.id),
      ...new Set(event.notice === null ? event.notifications.map(groupOf) : []),
    ];
    for (const subject of subjects) {
      const row = expectedOf(event, subject);
      const mine = event.notifications.filter((one) => [`all`, one.rule.id, groupOf(one)].includes(subject));
      const asks = event.eventKey === "site.down";
      row.events += 1;
      row.toAcknowledge += asks ? 1 : 0;
      row.notifications += mine.length;
      row.notificationsAtNight += mine.filter(
        (one) => one.priority !== "LOW" && isNight(groupOf(one) === ops ? "America/New_York" : "UTC", one.createdAt),
      ).length;
      const since = Date.parse(event.receivedAt);
      if (asks && event.acknowledgedAt !== null) row.acknowledged.push(Date.parse(event.acknowledgedAt) - since);
      if (event.resolvedAt !== null) row.resolved.push(Date.parse(event.resolvedAt) - since);
    }
  }

  const weeks = { from: "2020-01-01", to: "2099-01-01" };
  const rows = (
    await Promise.all(
      (["workspace", "rule", "group"] as const).map((kind) => listStatisticsRows(deps, ws, kind, weeks)),
    )
  )
    .flat()
    .map(toStatisticsView);
  const nameOf = ({ week, rule, group }: StatisticsView) => `${week} ${rule?.id ?? group?.id ?? "all"}`;
  const meanSeconds = (times: readonly number[]) =>
    Math.round(times.reduce((sum, ms) => sum + ms, 0) / times.length / 100) / 10;
  const roundRow = ({ acknowledged, resolved, ...row }: Expected) => ({
    ...row,
    acknowledged: { count: acknowledged.length, mean: acknowledged.length === 0 ? null : meanSeconds(acknowledged) },
    resolved: { count: resolved.length, mean: resolved.length === 0 ? null : meanSeconds(resolved) },
  });
  expect(Object.fromEntries(rows.map((row) => [nameOf(row), row]))).toMatchObject(
    Object.fromEntries([...expected].map(([name, row]) => [name, roundRow(row)])),
  );
  expect(rows).toHaveLength(expected.size);
  for (const row of rows)
    for (const kind of ["acknowledged", "resolved"] as const)
      for (const [part, value] of [[0.5, row[kind].median] as const, [0.9, row[kind].p90] as const]) {
        const times = (expected.get(nameOf(row))?.[kind] ?? []).toSorted((one, other) => one - other);
        const right = times[Math.ceil(part * times.length) - 1];
        if (right === undefined) expect(value).toBeNull();
        else expect(Math.abs((value ?? 0) * 1000 - right)).toBeLessThan(Math.max(1000, right / 10));
      }
  expect(rows.map(({ rule }) => rule?.name)).toEqual(expect.arrayContaining([down.name, shop.name]));
});
