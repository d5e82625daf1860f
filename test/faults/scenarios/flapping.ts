import { ADDED_RULE } from "../../../core/domain/delivery/added.ts";
import { parseNotificationId, parsePackId } from "../../../core/domain/basics/ids.ts";
import { listFirings } from "../../../core/store/events/escalations.ts";
import { listEventsBetween } from "../../../core/store/events/events.ts";
import { buildWorkspace } from "../fixtures.ts";
import { EARLY_MS, type Scenario } from "../scenario.ts";

const MINUTE_MS = 60_000;

const isPage = (notificationId: string): boolean =>
  parsePackId(parseNotificationId(notificationId)?.packId ?? "")?.rule !== ADDED_RULE;

export const flapping: Scenario = {
  name: "flapping",
  about:
    "an alert opens and is resolved twice, and opens again: it pages nobody until it has been open for ten minutes",
  setup: async (deps) => [
    await buildWorkspace(deps, { rules: { outages: { eventKey: "site.down", requiresAck: true } } }),
  ],
  play: async ({ clients, world, fixtures: [acme] }) => {
    for (const round of ["one", "two"]) {
      await clients.post(acme!, { event: "site.down", title: round, dedupeKey: "site" });
      await world.kernel.sleep(200);
      await clients.post(
        acme!,
        { event: "site.up", title: `up ${round}`, resolves: "site" },
        { idempotencyKey: round },
      );
      await world.kernel.sleep(200);
    }
    await clients.post(acme!, { event: "site.down", title: "three", dedupeKey: "site" });
    await world.kernel.sleep(12 * MINUTE_MS);
  },
  expectNotified: ({ eventKey }) => (eventKey === "site.up" ? [[]] : [["outages|alice"]]),
  minutes: 60,
  check: async ({ world, clients, fixtures: [acme] }) => {
    const { ws } = acme!;
    const [event, firings] = await world.outside(async (deps) => {
      const events = await listEventsBetween(deps, ws, { from: 0, to: 1000 });
      const last = events.find(({ content }) => content.title === "three");
      return [last, last === undefined ? [] : await listFirings(deps, { ws, seq: last.seq })] as const;
    });
    if (event === undefined) return [];
    const { until } = event.flapping ?? {};
    const isSmooth = clients.posts.every(({ answers }) => answers.length === 1 && answers[0]?.status === 201);
    if (until === undefined) return isSmooth ? ["the alert flaps, but the service did not notice it"] : [];
    const found: string[] = [];
    const said = firings.filter(({ addition }) => addition?.because === "flapping");
    if (said.length !== 1) found.push(`${said.length} messages say that the alert flaps`);
    for (const { at, eventId, notificationId, token } of world.fcm.calls)
      if (eventId === event.eventId && isPage(notificationId) && at < until - EARLY_MS)
        found.push(`${token} was paged ${(until - at) / 1000} s before the hold ended`);
    if (found.length === 0) world.seen.add("an event was held because its alert flaps");
    return found;
  },
};
