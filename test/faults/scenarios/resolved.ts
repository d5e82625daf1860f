import { isAcknowledgedOrFinal } from "../../../core/domain/event/lifecycle.ts";
import { readEscalation } from "../../../core/store/events/escalations.ts";
import { listEventsBetween } from "../../../core/store/events/events.ts";
import { parseSeqOfKey } from "../../../core/store/keys.ts";
import { RESOLVED_BEFORE } from "../../../core/domain/delivery/notification.ts";
import { parsePackId } from "../../../core/domain/basics/ids.ts";
import { listNewestPacks } from "../../world/newest-packs.ts";
import type { EventPost } from "../clients.ts";
import type { Play, Scenario } from "../scenario.ts";
import { buildTwoSteps } from "./escalation.ts";
import { isPartitionOf, listItems, type ItemKind } from "../items.ts";

const MINUTE_MS = 60_000;
/** The time between a sender's last check of an event and its push. */
const CHECK_TO_PUSH_MS = 50;
/** A recipient of the first step takes a moment to read before resolving. */
const READING_MS = 80;

const resolvedAt = new WeakMap<object, Map<string, number>>();

/** Notes the time after which nobody may be notified of an event. */
const watchResolutions = ({ world }: Play): void => {
  const times = new Map<string, number>();
  resolvedAt.set(world, times);
  world.onWrite(({ pk, sk, before, after }) => {
    if (!isPartitionOf("EVENTS", pk) || before?.["resolved"] !== undefined || after?.["resolved"] === undefined) return;
    times.set(`${parseSeqOfKey({ sk })} ${after["nonce"]?.S}`, world.kernel.now());
  });
};

const readEventId = (post: EventPost): string | undefined =>
  post.answers.find(({ status }) => status === 201 || status === 200)?.eventId;

const send = ({ clients, fixtures: [acme] }: Play, title: string, more: object = {}): Promise<EventPost> =>
  clients.post(acme!, { event: "site.down", title, ...more }, { idempotencyKey: title });

const resolve = async ({ clients, world, fixtures: [acme] }: Play, user: string, eventId: string): Promise<void> => {
  const { status } = await clients.call(acme!, user, "resolve-event", {
    path: { eventId },
    body: { note: "Restarted" },
  });
  if (status === 200) clients.resolved.push({ ws: acme!.ws, eventId, answeredAt: world.kernel.now() });
  else if (status < 500) clients.failures.push(`resolving ${eventId} was answered ${status}`);
};

/** Waits up to a minute until an item of this kind has the attribute, and returns whether one has it. */
const waitForItem = async ({ world }: Play, kind: ItemKind, attribute = "pk"): Promise<boolean> => {
  for (let round = 0; round < 300; round += 1) {
    if (listItems(world, kind).some((item) => item[attribute] !== undefined)) return true;
    await world.kernel.sleep(round < 200 ? 3 : 600);
  }
  return false;
};

/**
 * Checks that an event that has ended notifies nobody, is not listed as open, and does not escalate. An event whose resolution
 * was answered must be resolved.
 */
const check: Scenario["check"] = async (play) => {
  const { world, clients, fixtures } = play;
  const { ws } = fixtures[0]!;
  const found: string[] = [];
  const { events, packs, escalations } = await world.outside(async (deps) => {
    const stored = await listEventsBetween(deps, ws, { from: 0, to: 1000 });
    return {
      events: stored,
      packs: await listNewestPacks(deps, ws, 1000),
      escalations: await Promise.all(stored.map(({ seq }) => readEscalation(deps, { ws, seq, rule: 0 }))),
    };
  });
  for (const [index, { eventId, life, content, seq }] of events.entries()) {
    const { title } = content;
    const answered = clients.resolved.some((one) => one.eventId === eventId);
    if (answered && life.resolved === undefined) found.push(`${title} was answered as resolved, but is not resolved`);
    const ended = [...(resolvedAt.get(world) ?? [])].find(([key]) => Number(key.split(" ")[0]) === seq)?.[1];
    if ((life.resolved === undefined) !== (ended === undefined))
      found.push(`the resolution of ${title} and the writes to the table do not match`);
    if (ended === undefined) continue;
    for (const { eventId: of, at, token } of world.fcm.calls)
      if (of === eventId && at > ended + CHECK_TO_PUSH_MS)
        found.push(`${token} got a push about ${title} ${at - ended} ms after its end`);
    const escalation = escalations[index];
    if (escalation !== undefined && !escalation.acknowledged) found.push(`${title} is resolved, but still escalates`);
    const mine = packs.filter((pack) => pack.eventId === eventId);
    const spared = mine.filter(({ recipients }) =>
      recipients.some(({ failedReason }) => failedReason === RESOLVED_BEFORE),
    );
    if (spared.length > 0) world.seen.add("an event was resolved before its push was sent");
    if (spared.some(({ packId }) => (parsePackId(packId)?.cursor ?? 0) > 0))
      world.seen.add("an event was resolved before a step was sent");
    if (mine.some(({ recipients }) => recipients.some(({ status }) => status === "SENT")))
      world.seen.add("an event was resolved after its push was sent");
    if (answered && escalation?.fired === 0) world.seen.add("a resolution cancelled an escalation step");
  }
  const postOf = (title: string) => clients.posts.find((post) => post.title === title);
  for (const { content } of events) {
    const { resolves, title } = content;
    if (resolves === undefined) continue;
    for (const { life, content: other } of events) {
      if (other.dedupeKey !== resolves) continue;
      const answeredAt = postOf(other.title)?.answers.find(({ status }) => status < 300)?.at ?? Infinity;
      const wasFirst = answeredAt <= (postOf(title)?.sentAt ?? 0);
      if (wasFirst && life.resolved === undefined) found.push(`${title} did not resolve ${other.title}`);
      if (wasFirst) world.seen.add("a sender resolved its event");
    }
  }
  // If a sender resolves its event, a silent push replaces each earlier push. A push with an unknown outcome may arrive after
  // the silent push.
  const mayHavePushed = new Set(
    packs.flatMap(({ recipients }) =>
      recipients.flatMap(({ notificationId, attempts = {} }) =>
        Object.values(attempts).some(({ unknowns }) => unknowns > 0) ? [notificationId] : [],
      ),
    ),
  );
  const titleOf = new Map(events.map(({ eventId, content }) => [eventId, content.title]));
  const bySender = new Map(events.map((event) => [event.eventId, event.life.resolved?.id.startsWith("evt_") === true]));
  for (const { eventId, notificationId, token, acceptedAt } of world.fcm.calls) {
    if (acceptedAt === undefined || bySender.get(eventId) !== true) continue;
    const notified = world.fcm.otherPushes.filter(
      (call) => call.notificationId === notificationId && call.token === token,
    );
    if (notified.length === 0) found.push(`${token} was not notified that ${titleOf.get(eventId)} ended`);
    else world.seen.add("recipients were notified of the end of an event");
    if (!mayHavePushed.has(notificationId) && notified.some(({ at }) => at <= acceptedAt))
      found.push(`${token} was notified of the end of ${titleOf.get(eventId)} before its start`);
  }
  const ended = new Set([
    ...events.filter(({ life }) => isAcknowledgedOrFinal(life)).map(({ eventId }) => eventId),
    ...packs
      .filter(({ recipients }) => recipients.some(({ status }) => status === "ACKNOWLEDGED"))
      .map((one) => one.eventId),
  ]);
  for (const { eventId, notificationId, token } of world.fcm.otherPushes) {
    if (mayHavePushed.has(notificationId)) continue;
    if (!ended.has(eventId))
      found.push(`${token} was notified of the end of ${titleOf.get(eventId)}, which has not ended`);
    if (!world.fcm.calls.some((call) => call.notificationId === notificationId && call.token === token))
      found.push(`${token} was notified of the end of ${titleOf.get(eventId)} without an earlier push`);
  }
  return found;
};

const notifies: Scenario["expectNotified"] = ({ eventKey }) => (eventKey === "site.up" ? [[]] : [["outages|alice"]]);
const common = { setup: buildTwoSteps, expectNotified: notifies, check, minutes: 90 } as const;

export const resolvedBeforeMatching: Scenario = {
  ...common,
  name: "resolved-before-matching",
  about: "an event is resolved when its post is answered, before the event is matched",
  play: async (play) => {
    watchResolutions(play);
    const eventId = readEventId(await send(play, "Down"));
    if (eventId !== undefined) await resolve(play, "ben", eventId);
  },
};

export const resolvedWhileMatching: Scenario = {
  ...common,
  name: "resolved-while-matching",
  about: "an event is resolved when its plan is stored, before the plan is carried out",
  play: async (play) => {
    watchResolutions(play);
    const posted = send(play, "Down");
    const isPlanned = await waitForItem(play, "EVENTS", "plan");
    const eventId = readEventId(await posted);
    if (isPlanned && eventId !== undefined) await resolve(play, "ben", eventId);
  },
};

export const resolvedWhileSending: Scenario = {
  ...common,
  name: "resolved-while-sending",
  about: "one person resolves an event and another acknowledges it while its push is sent",
  play: async (play) => {
    const { clients, world, fixtures } = play;
    watchResolutions(play);
    const eventId = readEventId(await send(play, "Down"));
    if (eventId === undefined || !(await waitForItem(play, "NOTIFICATIONS"))) return;
    const pack = listItems(world, "NOTIFICATIONS")[0]?.["sk"]?.S;
    const acknowledge = async () => {
      await world.kernel.sleep(READING_MS);
      await clients.report(fixtures[0]!, "alice", `ntf_${pack}0`);
    };
    await Promise.all([resolve(play, "ben", eventId), acknowledge()]);
  },
};

export const resolvedWhenStepDue: Scenario = {
  ...common,
  name: "resolved-when-step-due",
  about: "an event is resolved at the moment when a step of its escalation is due",
  play: async (play) => {
    const { world } = play;
    watchResolutions(play);
    const post = await send(play, "Down");
    const eventId = readEventId(post);
    if (eventId === undefined || !(await waitForItem(play, "ESCALATIONS"))) return;
    await world.kernel.sleep(Math.max(0, 5 * MINUTE_MS - (world.kernel.now() - post.sentAt) + READING_MS));
    await resolve(play, "alice", eventId);
  },
};

export const resolvedBySender: Scenario = {
  ...common,
  name: "resolved-by-sender",
  about: "the sender resolves one event when its post is answered, and another event when an escalation step is due",
  play: async (play) => {
    const { world } = play;
    watchResolutions(play);
    const resolve = (key: string) => send(play, `Up ${key}`, { event: "site.up", resolves: key });
    await send(play, "Down a", { dedupeKey: "a" });
    await resolve("a");
    const post = await send(play, "Down b", { dedupeKey: "b" });
    await world.kernel.sleep(Math.max(0, 5 * MINUTE_MS - (world.kernel.now() - post.sentAt) + READING_MS));
    await resolve("b");
  },
};
