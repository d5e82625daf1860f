import { ADDED_RULE } from "../../../core/domain/delivery/added.ts";
import type { StoredEvent } from "../../../core/domain/event/stored-event.ts";
import { createApiKey } from "../../../core/store/people/api-keys.ts";
import { listFirings } from "../../../core/store/events/escalations.ts";
import { listEventsBetween } from "../../../core/store/events/events.ts";
import { listOpenEvents } from "../../../core/store/events/open-events.ts";
import type { EventPost } from "../clients.ts";
import { buildWorkspace } from "../fixtures.ts";
import type { Play, Scenario } from "../scenario.ts";

const RETRY_MS = 1500;
/** The maximum number of tries: more than a client needs while a partition is throttled. */
const TRIES = 100;
const MINUTE_MS = 60_000;
/** People are notified within this time after the priority of an alert rises. */
const RAISE_NOTIFIED_WITHIN_MS = 5 * MINUTE_MS;

/** The key of the second sender, by workspace. */
const secondKeys = new Map<string, string>();

type Message = { severity?: "warning" | "critical"; title: string };

/** Sends a message about the alert that each sender calls `db`, until the message is answered. */
const send = async ({ clients, world, fixtures: [acme] }: Play, key: string, { severity, title }: Message) => {
  const entry: EventPost = { ws: acme!.ws, title, dedupeKey: undefined, sentAt: world.kernel.now(), answers: [] };
  clients.posts.push(entry);
  for (let round = 0; round < TRIES; round += 1) {
    const { status, body } = await world.http<{ events?: { eventId: string }[] }>("post-from-source", {
      headers: { "x-api-key": key },
      path: { source: "pagerduty" },
      body: {
        event_action: severity === undefined ? "resolve" : "trigger",
        dedup_key: "db",
        payload: { summary: title, source: "db-1", severity },
      },
    });
    const eventId = body.events?.[0]?.eventId;
    entry.answers.push({ at: world.kernel.now(), status, eventId, deduplicated: false });
    if (status < 500 && status !== 409) return;
    await world.kernel.sleep(RETRY_MS);
  }
};

const isAlertOf = (name: string) => (event: StoredEvent) =>
  event.content.sender?.name === name && event.content.dedupeKey !== undefined;

/** Checks that the same alerts are open here as at their senders, and that people are notified once of each higher priority. */
const check: Scenario["check"] = async ({ world, fixtures: [acme] }) => {
  const { ws } = acme!;
  const { events, open, raises } = await world.outside(async (deps) => {
    const stored = await listEventsBetween(deps, ws, { from: 0, to: 1000 });
    const firings = await Promise.all(stored.map(({ seq }) => listFirings(deps, { ws, seq })));
    return {
      events: stored,
      open: new Set((await listOpenEvents(deps, ws, { limit: "all" })).map(({ eventId }) => eventId)),
      raises: firings.map((all) =>
        all.filter(({ rule, addition }) => rule === ADDED_RULE && addition?.because === "raised"),
      ),
    };
  });
  const found: string[] = [];
  for (const [name, title] of [
    ["integration", "one again"],
    ["second", "two"],
  ] as const) {
    const mine = events
      .filter(isAlertOf(name))
      .filter(({ eventId, life }) => open.has(eventId) && life.resolved === undefined);
    const titles = mine.map(({ content }) => content.title).join();
    if (titles !== title) found.push(`${name} has [${titles}] open instead of [${title}]`);
  }
  for (const title of ["one", "two"]) {
    const index = events.findIndex(({ content }) => content.title === title);
    const times = raises[index]?.length ?? 0;
    if (times !== 1) found.push(`people were notified ${times} times that ${title} became worse`);
    if (events[index]?.life.resolved !== undefined && times === 1)
      world.seen.add("an alert rose in priority and ended");
  }
  return found;
};

export const sharedAlertId: Scenario = {
  name: "shared-alert-id",
  about: "two senders use the same alert id: each starts, repeats and raises its alert; one ends and starts again",
  setup: async (deps) => {
    const acme = await buildWorkspace(deps, {
      rules: { alerts: { eventKey: "pagerduty.firing", requiresAck: true } },
    });
    secondKeys.set(acme.ws, (await createApiKey(deps, acme.ws, { name: "second" })).key);
    return [acme];
  },
  play: async (play) => {
    const { world, fixtures } = play;
    const acme = fixtures[0]!;
    const sendByFirstKey = (message: Message) => send(play, acme.apiKey.key, message);
    const sendBySecondKey = (message: Message) => send(play, secondKeys.get(acme.ws) ?? "", message);
    const playFirstSender = async () => {
      await sendByFirstKey({ title: "one", severity: "warning" });
      await sendByFirstKey({ title: "one repeats", severity: "warning" });
      await sendByFirstKey({ title: "one is worse", severity: "critical" });
      await world.kernel.sleep(RAISE_NOTIFIED_WITHIN_MS);
      await sendByFirstKey({ title: "one ends" });
      await sendByFirstKey({ title: "one again", severity: "critical" });
    };
    const playSecondSender = async () => {
      await sendBySecondKey({ title: "two", severity: "warning" });
      await sendBySecondKey({ title: "two is worse", severity: "critical" });
      await world.kernel.sleep(RAISE_NOTIFIED_WITHIN_MS);
      await sendBySecondKey({ title: "two repeats", severity: "critical" });
    };
    await Promise.all([playFirstSender(), playSecondSender()]);
  },
  expectNotified: ({ eventKey }) => (eventKey === "pagerduty.firing" ? [["alerts|alice"]] : [[]]),
  check,
};
