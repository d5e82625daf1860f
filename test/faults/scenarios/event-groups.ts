import { isHeldByGroup } from "../../../core/domain/delivery/delivery-plan.ts";
import type { StoredEvent } from "../../../core/domain/event/stored-event.ts";
import { listEventsBetween } from "../../../core/store/events/events.ts";
import { readCountedEvents } from "../../../core/store/events/event-groups.ts";
import { updateWorkspace } from "../../../core/store/people/workspaces.ts";
import { buildWorkspace } from "../fixtures.ts";
import type { Play, Scenario } from "../scenario.ts";

const MINUTE_MS = 60_000;

const readEvents = ({ world, fixtures: [acme] }: Play): Promise<StoredEvent[]> =>
  world.outside((deps) => listEventsBetween(deps, acme!.ws, { from: 0, to: 1000 }));

const listPagingEvents = (events: readonly StoredEvent[]): StoredEvent[] =>
  events.filter(({ plan }) => plan?.groups?.some((group) => !isHeldByGroup(group)) === true);

/** Checks that one event of each group paged, and that the other events are counted with it. */
const checkGroup = async (play: Play, name: string, events: readonly StoredEvent[]): Promise<string[]> => {
  const { world, fixtures } = play;
  // A post that was never answered may have stored nothing.
  if (events.length === 0) return [];
  const paged = listPagingEvents(events);
  const [first] = paged;
  if (first === undefined || paged.length > 1) return [`${paged.length} events of ${name} paged`];
  const found: string[] = [];
  const grouped = events.filter(({ plan }) => plan?.groups?.some(({ into }) => into !== undefined) === true);
  for (const { content, plan } of grouped)
    if (plan?.groups?.[0]?.into !== first.eventId)
      found.push(`${content.title} was not grouped into the first event of ${name}`);
  const key = first.plan?.groups?.[0]?.key ?? "";
  const counted = await world.outside((deps) =>
    readCountedEvents(deps, fixtures[0]!.ws, key, first.seq, { from: 0, to: 9_999_999_999_999 }),
  );
  if (counted.events.length !== grouped.length)
    found.push(`${name} has ${grouped.length} grouped events, but ${counted.events.length} are counted`);
  if (grouped.length > 0) world.seen.add("an event joined a group");
  if (world.fcm.otherPushes.some(({ eventId }) => eventId === first.eventId))
    world.seen.add("the end of a group reported its size");
  return found;
};

/** By this time, the group has ended, even if its event was matched late. */
const GROUP_OVER_MS = 36 * MINUTE_MS;

export const eventGroups: Scenario = {
  name: "event-groups",
  about:
    "a rule groups by host: three events of one host and one of another host come at once, and two more in the next group",
  setup: async (deps) => [
    await buildWorkspace(deps, { rules: { outages: { eventKey: "*", groupBy: ["data.host"], groupMinutes: 30 } } }),
  ],
  play: async ({ clients, world, fixtures: [acme] }) => {
    const send = async (title: string, host: string, after: number) => {
      await world.kernel.sleep(after);
      return clients.post(acme!, { event: "disk.full", title, data: { host } });
    };
    await Promise.all([send("one", "a", 0), send("two", "a", 1), send("other", "b", 2), send("three", "a", 40)]);
    await world.kernel.sleep(GROUP_OVER_MS);
    await Promise.all([send("next one", "a", 0), send("next two", "a", 1)]);
    await world.kernel.sleep(3 * MINUTE_MS);
  },
  minutes: 60,
  expectNotified: () => [["outages|alice"], []],
  check: async (play) => {
    const events = await readEvents(play);
    const listEventsOf = (host: string, isNext = false) =>
      events.filter(({ content }) => content.data?.["host"] === host && content.title.startsWith("next") === isNext);
    const groups = [
      ["host a", listEventsOf("a")],
      ["host b", listEventsOf("b")],
      ["host a's next group", listEventsOf("a", true)],
    ] as const;
    return (await Promise.all(groups.map(([name, some]) => checkGroup(play, name, some)))).flat();
  },
};

export const threshold: Scenario = {
  name: "threshold",
  about: "a rule has a threshold of three events in ten minutes: two events come at once, then two more",
  setup: async (deps) => [
    await buildWorkspace(deps, { rules: { often: { eventKey: "*", atLeast: { count: 3, withinMinutes: 10 } } } }),
  ],
  play: async ({ clients, world, fixtures: [acme] }) => {
    const send = async (title: string, after: number) => {
      await world.kernel.sleep(after);
      return clients.post(acme!, { event: "login.failed", title });
    };
    await Promise.all([send("one", 0), send("two", 1), send("three", 40), send("four", 41)]);
    await world.kernel.sleep(3 * MINUTE_MS);
  },
  expectNotified: () => [["often|alice"], []],
  check: async (play) => {
    const events = await readEvents(play);
    if (events.some(({ plan }) => plan?.groups?.some(({ below }) => below !== undefined) === true))
      play.world.seen.add("an event was below a threshold");
    return events.length < 3 ? [] : checkGroup(play, "the rule", events);
  },
};

const LIMIT = 2;

export const pageLimit: Scenario = {
  name: "page-limit",
  about: "a person has a page limit of two in ten minutes, and five events come at once",
  setup: async (deps) => {
    const acme = await buildWorkspace(deps, { rules: { all: { eventKey: "*" } } });
    await updateWorkspace(deps, acme.ws, { loudPerTenMinutes: LIMIT });
    return [acme];
  },
  play: async ({ clients, world, fixtures: [acme] }) => {
    const send = async (title: string, after: number) => {
      await world.kernel.sleep(after);
      return clients.post(acme!, { event: "disk.full", title });
    };
    await Promise.all([send("one", 0), send("two", 1), send("three", 2), send("four", 20), send("five", 40)]);
    await world.kernel.sleep(3 * MINUTE_MS);
  },
  expectNotified: () => [["all|alice"]],
  check: async (play) => {
    const events = await readEvents(play);
    // The service's own notices have a higher priority, and page beyond the limit.
    const sent = events.filter(({ content }) => content.notice === undefined);
    const recipients = sent.flatMap(({ plan }) =>
      typeof plan?.body === "object" ? plan.body.rules.flatMap((rule) => rule.recipients) : [],
    );
    const loud = recipients.filter(({ quiet }) => quiet === undefined).length;
    if (loud < recipients.length) play.world.seen.add("the page limit silenced a page");
    const most = Math.min(LIMIT, recipients.length);
    // The first two event numbers each allow a page without a count, so a lost number loses a page.
    const isLost = [1, 2].some((number) => !events.some(({ seq }) => seq === number));
    const least = most - (isLost ? 1 : 0);
    return loud >= least && loud <= most ? [] : [`${loud} of ${recipients.length} events paged, not ${most}`];
  },
};
