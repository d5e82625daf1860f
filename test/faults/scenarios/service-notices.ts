import { listEventsBetween } from "../../../core/store/events/events.ts";
import { setIndexProgress } from "../../../core/store/events/open-events.ts";
import { noticeRule } from "../../../core/domain/event/notice.ts";
import { buildWorkspace } from "../fixtures.ts";
import type { Scenario } from "../scenario.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const POSTED_EVENTS = 4;
const owners = ["alice", "bob"];

export const serviceNotices: Scenario = {
  name: "service-notices",
  about: "three events use up four fifths of the month's quota, and two of them are not acknowledged for 30 days",
  setup: async (deps) => {
    const acme = await buildWorkspace(deps, {
      people: { alice: ["alice-phone"], bob: ["bob-phone"] },
      groups: { ops: ["alice"] },
      rules: { outages: { eventKey: "site.down", requiresAck: true } },
      plan: { monthlyEvents: 5, eventsPerMinute: 600, burst: 100, retentionDays: 400 },
    });
    await setIndexProgress(deps, acme.ws, { since: 0, upTo: 0, done: true });
    return [acme];
  },
  play: async ({ clients, world, fixtures: [acme] }) => {
    const post = (title: string, more: object) =>
      clients.post(acme!, { event: "site.down", title, ...more }, { idempotencyKey: title });
    await post("one", { dedupeKey: "one" });
    await post("two", {});
    await post("three", { dedupeKey: "three" });
    await post("up", { event: "site.up", resolves: "three" });
    world.setAuditsOn();
    await world.kernel.sleep(3 * HOUR_MS);
    world.setAuditsOn(false);
    await world.kernel.sleep(30 * DAY_MS);
    world.setAuditsOn();
    await world.kernel.sleep(DAY_MS + 3 * HOUR_MS);
    world.setAuditsOn(false);
  },
  expectNotified: ({ eventKey }) => {
    if (eventKey.startsWith("service.")) return [owners.map((name) => `${noticeRule.name}|${name}`)];
    return eventKey === "site.up" ? [[]] : undefined;
  },
  check: async ({ world }) => {
    const found: string[] = [];
    const events = await world.outside((deps) => listEventsBetween(deps, "ws_acme", { from: 0, to: 1_000_000 }));
    const listNumbers = (key: string, field: string) =>
      events.filter(({ content }) => content.eventKey === key).map(({ content }) => Number(content.data?.[field]));
    const levels = listNumbers("service.quota", "percent");
    const sent = events.filter(({ content }) => content.notice === undefined).length;
    if ((sent === POSTED_EVENTS && levels.length === 0) || new Set(levels).size < levels.length)
      found.push(`notices of the quota: [${levels.join(" ")}]`);
    const expired = events.filter(({ life }) => life.expired !== undefined);
    const notified = listNumbers("service.event_expired", "events").reduce((sum, count) => sum + count, 0);
    if (notified !== expired.length)
      found.push(`${expired.length} events have expired, and people were notified of ${notified}`);
    for (const { content, life } of events) {
      const wanted = content.title === "one" || content.title === "two";
      if (wanted && life.expired === undefined) found.push(`${content.title} has not expired`);
      if (content.title === "three" && life.resolved === undefined) found.push("three is not resolved");
    }
    if (expired.length > 0) world.seen.add("an event expired");
    return found;
  },
  // Other scenarios disturb the other functions.
  faultyCalls: /^(?:post-event|sweeper|wake sweeper)/,
  minutes: 33 * 24 * 60,
  expectsNoErrors: false,
};
