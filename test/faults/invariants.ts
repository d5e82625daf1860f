import type { Deps } from "../../core/deps.ts";
import { parseNotificationId, parsePackId } from "../../core/domain/basics/ids.ts";
import { toIso } from "../../core/domain/basics/time.ts";
import { DEDUPE_WINDOW_MS } from "../../core/domain/basics/limits.ts";
import { toClaimName } from "../../core/domain/event/event.ts";
import { isAcknowledgedOrFinal } from "../../core/domain/event/lifecycle.ts";
import { computeAckEnd } from "../../core/domain/escalation/temporary-ack.ts";
import { noticeRule } from "../../core/domain/event/notice.ts";
import { isNothingLeftToSend, wasNotNeeded, NO_DEVICES } from "../../core/domain/delivery/notification.ts";
import { listEvents } from "../../core/flow/read/list-events.ts";
import { readPlannedPacks } from "../../core/flow/read/read-event.ts";
import { readControl } from "../../core/store/events/control.ts";
import { listEventsBetween } from "../../core/store/events/events.ts";
import { type StoredEvent } from "../../core/domain/event/stored-event.ts";
import { listNewestPacks } from "../world/newest-packs.ts";
import { type Pack } from "../../core/domain/delivery/pack.ts";
import { listOpenEvents } from "../../core/store/events/open-events.ts";
import { queueNames } from "../world/queues.ts";
import { CLOCK_JUMP_MS } from "./engine/modes.ts";
import { unanswered } from "./engine/modes.ts";
import type { Fixture } from "./fixtures.ts";
import type { Observations } from "./observe.ts";
import {
  checkAllDevices,
  listPushCalls,
  checkNoPushTwice,
  checkPaidMessages,
  checkPushOwners,
  type FinalState,
} from "./push-invariants.ts";
import type { Play, Scenario } from "./scenario.ts";

export const describeError = (error: unknown): string =>
  error instanceof Error ? error.message : JSON.stringify(error);

const EVERYTHING = 1_000_000;
const FINISHED_WITHOUT_FAULTS_MS = 5000;
const FINISHED_WITHIN_SECONDS = 180;
const HOUR_MS = 3_600_000;

const namesOf = (fixture: Fixture): ReadonlyMap<string, string> =>
  new Map(Object.entries(fixture.users).map(([name, id]) => [id, name]));

const isSameSet = (one: readonly string[], other: readonly string[]): boolean => {
  const all = new Set(other);
  return one.length === other.length && one.every((entry) => all.has(entry));
};

const groupByEvent = (packs: readonly Pack[]): ReadonlyMap<string, Pack[]> =>
  Map.groupBy(packs, ({ eventId }) => eventId);

const NAMES_SHOWN = 200;
const listSome = (names: readonly string[]): string =>
  `${names.slice(0, NAMES_SHOWN).join(" ")}${names.length > NAMES_SHOWN ? ` and ${names.length - NAMES_SHOWN} more` : ""}`;

/** Checks that every notification that the rules require exists, and has its final status. */
const checkDelivered = (
  scenario: Scenario,
  play: Play,
  { fixture, events, packs }: FinalState,
  mayEnd: boolean,
): string[] => {
  const found: string[] = [];
  const names = namesOf(fixture);
  const packsOf = groupByEvent(packs);
  for (const event of events) {
    const mine = packsOf.get(event.eventId) ?? [];
    const people = mine
      .filter((pack) => parsePackId(pack.packId)?.cursor === 0)
      .flatMap((pack) => pack.recipients.map(({ userId }) => `${pack.rule.name}|${names.get(userId) ?? userId}`));
    const { eventKey, title } = event.content;
    // In any scenario, a fault may remove a person's last device.
    const notified =
      eventKey === "service.unreachable"
        ? [people.filter((one) => one.startsWith(`${noticeRule.name}|`))]
        : scenario.expectNotified({ ws: fixture.ws, eventKey, title }, play.fixtures);
    if (notified !== undefined && !notified.some((channel) => isSameSet(channel, people)))
      found.push(
        `P1: ${title} notified [${listSome(people)}] instead of ${notified.map((channel) => `[${listSome(channel)}]`).join(" or ")}`,
      );
    if (event.notifications !== mine.reduce((sum, { recipients }) => sum + recipients.length, 0))
      found.push(`count: ${title} counts ${event.notifications} notifications, but other notifications are stored`);
    for (const pack of mine)
      for (const { notificationId, status, attempts, failedReason, sentAt } of pack.recipients) {
        const calls = listPushCalls(play, fixture, notificationId);
        if (!isNothingLeftToSend(status, attempts))
          found.push(`P1: ${notificationId} of ${title} ended as ${status}, and its sending is not finished`);
        if (status === "SENT" && !calls.some(({ acceptedAt }) => acceptedAt !== undefined))
          found.push(`P1: ${notificationId} is SENT, but FCM never accepted it`);
        if (status === "SENT" && sentAt === undefined) found.push(`P1: ${notificationId} is SENT without a sentAt`);
        if (status === "FAILED" && (failedReason ?? "") === "")
          found.push(`P1: ${notificationId} FAILED without a reason`);
        const noAnswer = failedReason?.includes("no answer") === true;
        // If a sender dies after its claim, and the device is then removed, the push cannot be repeated.
        const triedTwice = Object.values(attempts ?? {}).some(({ unknowns }) => unknowns > 1);
        const mayBeUnsent =
          failedReason === NO_DEVICES || wasNotNeeded(failedReason ?? null) || (noAnswer && !triedTwice);
        if (status === "FAILED" && !mayBeUnsent && calls.length === 0)
          found.push(`P1: ${notificationId} FAILED, but no push was ever sent: ${failedReason}`);
        if (status === "FAILED" && noAnswer && triedTwice && !mayEnd)
          found.push(`P1: ${notificationId} was given up after one fault: ${failedReason}`);
      }
  }
  return found;
};

/** Checks that no notification exists without its event, plan and workspace. */
const checkOrigins = async (deps: Deps, { fixture, events, packs }: FinalState): Promise<string[]> => {
  const found: string[] = [];
  const expected = new Map<string, string>();
  for (const event of events) {
    if (event.plan === undefined) continue;
    for (const { packId, recipients } of await readPlannedPacks(deps, { ...event, plan: event.plan }))
      expected.set(packId, recipients.map(({ userId }) => userId).join());
  }
  for (const pack of packs) {
    const people = pack.recipients.map(({ userId }) => userId).join();
    if (expected.get(pack.packId) !== people) found.push(`pack ${pack.packId} belongs to no plan`);
    expected.delete(pack.packId);
    if (pack.workspaceId !== fixture.ws) found.push(`pack ${pack.packId} is in another workspace`);
  }
  for (const packId of expected.keys()) found.push(`P1: pack ${packId} of a plan is missing`);
  return found;
};

const checkAnswers = ({ clients, world }: Play, { fixture, events }: FinalState): string[] => {
  const found: string[] = [];
  const byId = new Map(events.map((event) => [event.eventId, event]));
  for (const post of clients.posts.filter(({ ws }) => ws === fixture.ws)) {
    for (const { status, eventId, deduplicated } of post.answers) {
      if (status !== 201 && status !== 200) continue;
      const event = byId.get(eventId ?? "");
      if (event === undefined)
        found.push(`P1: ${post.title} was answered ${status} with ${eventId}, which is not stored`);
      else if (status === 201 && event.content.title !== post.title)
        found.push(`${post.title} was answered 201 with the event ${event.content.title}`);
      else if (deduplicated && (post.dedupeKey === undefined || event.content.dedupeKey !== post.dedupeKey))
        found.push(`${post.title} was answered as a duplicate of ${event.content.title}`);
    }
    const created = events.filter(({ content }) => content.title === post.title).length;
    if (created > post.answers.length) found.push(`${post.title} created ${created} events`);
  }
  const claims = Map.groupBy(
    // Alerts with a `changedAt` are checked in test/faults/scenarios/out-of-order.ts.
    events.filter(({ content }) => content.dedupeKey !== undefined && content.changedAt === undefined),
    ({ content }) => toClaimName(content, content.dedupeKey ?? ""),
  );
  for (const [key, same] of claims) {
    const inOrder = same.toSorted((one, other) => one.seq - other.seq);
    for (const [index, { seq, receivedAt }] of inOrder.entries()) {
      const last = inOrder[index - 1];
      const isFree = ({ seq: between, content }: StoredEvent) =>
        toClaimName(content, content.resolves ?? "") === key && between > (last?.seq ?? 0) && between < seq;
      const isOver = (last?.life.resolved?.at ?? Infinity) <= receivedAt + CLOCK_JUMP_MS;
      if (last === undefined || isOver || events.some(isFree)) continue;
      if (receivedAt - last.receivedAt < DEDUPE_WINDOW_MS - 2 * CLOCK_JUMP_MS - CLAIM_TO_STORE_MS)
        found.push(`two events with the dedupeKey ${key} within its window`);
    }
  }
  if (world.dynamo.partitions().some((pk) => /^(PENDING|STEPS|ENDS)#/.test(pk) && world.dynamo.list(pk).length > 0))
    found.push("a marker was not deleted");
  return found;
};
/** The longest time from a request's claim of a dedupeKey to a retry that stores the event. */
const CLAIM_TO_STORE_MS = 20_000;

const checkInTime = (
  scenario: Scenario,
  { world, clients }: Play,
  { events, packs }: FinalState,
  { finishedAt }: Observations,
  faults: number,
): string[] => {
  const allowed = FINISHED_WITHIN_SECONDS * 1000;
  const found: string[] = [];
  const byId = new Map(events.map((event) => [event.eventId, event]));
  const posted = clients.posts.flatMap(({ ws, answers }) => answers.map((answer) => ({ ws, ...answer })));
  const postedOf = Map.groupBy(posted, ({ ws, eventId }) => `${ws} ${eventId}`);
  for (const pack of packs) {
    const at = finishedAt.get(pack.packId);
    const event = byId.get(pack.eventId);
    if (at === undefined || event === undefined) continue;
    const cursor = parsePackId(pack.packId)?.cursor;
    // A plan is made again after a silence, after flapping, or when a repeat raises the priority.
    const isReplanned = (event.plan?.after ?? event.plan?.flapping ?? event.repeats?.raised[0]) !== undefined;
    const isFirst = cursor === 0 && !isReplanned;
    const from = isFirst ? event.receivedAt : pack.createdAt;
    const answers = postedOf.get(`${pack.workspaceId} ${pack.eventId}`) ?? [];
    const putOff = pack.recipients.flatMap(({ rings }) => rings?.[0]?.at ?? []);
    const last = Math.max(from, ...(isFirst ? answers.map((answer) => answer.at) : []), ...putOff);
    if (at - Math.max(last, world.disturbedUntil()) > allowed)
      found.push(
        `P4: pack ${pack.packId} was finished ${(at - Math.max(last, world.disturbedUntil())) / 1000} s after the faults`,
      );
    if (
      faults === 0 &&
      scenario.expectsNoErrors !== false &&
      at - Math.max(from, ...putOff) > FINISHED_WITHOUT_FAULTS_MS
    )
      found.push(`P4: without faults, pack ${pack.packId} took ${(at - from) / 1000} s`);
  }
  return found;
};

/** Checks that no escalation step notifies anybody between the answer to an acknowledgement and the acknowledgement's end. */
const checkQuietAfterAcknowledgement = ({ world, clients }: Play, { fixture, packs }: FinalState): string[] =>
  clients.acknowledgements
    .filter(({ ws, status }) => ws === fixture.ws && status === 200)
    .flatMap(({ notificationId, answeredAt }) => {
      const acknowledged = parsePackId(parseNotificationId(notificationId)?.packId ?? "");
      return world.fcm.calls.flatMap((call) => {
        const place = parsePackId(parseNotificationId(call.notificationId)?.packId ?? "");
        const same =
          call.workspaceId === fixture.ws &&
          place?.seq === acknowledged?.seq &&
          place?.rule === acknowledged?.rule &&
          place?.cursor !== 0;
        const pack = packs.find(({ packId }) => call.notificationId.includes(packId));
        const holdsUntil = pack?.ackMinutes === undefined ? Infinity : computeAckEnd(answeredAt, pack.ackMinutes);
        const held = call.at > answeredAt + CHECK_TO_PUSH_MS && call.at < holdsUntil - 2 * CLOCK_JUMP_MS;
        return same && pack?.escalates === true && held
          ? [`a step was sent to ${call.token} ${call.at - answeredAt} ms after the acknowledgement was answered`]
          : [];
      });
    });
/** The time between the sender's last check of the escalation and its push. */
const CHECK_TO_PUSH_MS = 50;

/** The longest time from the admission of an event to its `receivedAt`. */
const ADMITTED_BEFORE_MS = 10_000;

const checkCounts = async (play: Play, { fixture, events }: FinalState, faults: number): Promise<string[]> => {
  const { world } = play;
  const found: string[] = [];
  const readCounts = () =>
    world.outside(async (deps) => {
      const control = await readControl(deps, fixture.ws);
      const pages = await listEvents(deps, fixture.ws, { page: 1, limit: EVERYTHING });
      const { used = 0, month = "" } = control ?? {};
      // An audit may create a notice about a quota that is used up.
      const stored = (await listEventsBetween(deps, fixture.ws, { from: 0, to: EVERYTHING })).length;
      return { used, month, total: pages.total, held: pages.items.length, stored };
    });
  let now = await readCounts();
  const { used, month } = now;
  const isIn = (ms: number) => toIso(ms).startsWith(month);
  const sent = events.filter(
    ({ content: { notice, heartbeat, probe } }) =>
      notice === undefined && heartbeat === undefined && probe === undefined,
  );
  const monthly = sent.filter(({ receivedAt }) => isIn(receivedAt)).length;
  // Events that were received just after a month began may have been admitted in the month before, in which they count.
  const between = sent.filter(({ receivedAt }) => isIn(receivedAt) !== isIn(receivedAt - ADMITTED_BEFORE_MS)).length;
  // Each failed attempt of a client may have counted towards the quota. An admission that the SDK
  // repeated, although it had taken effect, may have counted twice if another admission came in between.
  const failed = play.clients.posts.flatMap(({ answers }) => answers.filter(({ status }) => status >= 500)).length;
  const repeated = world.calls.records.filter(({ mode }) => mode !== undefined && unanswered.includes(mode)).length;
  if (Math.abs(used - monthly) > Math.max(faults, failed + repeated) + between)
    found.push(`quota: ${used} used, ${monthly} events stored, ${faults} faults, ${failed} failed answers`);
  if (now.total !== now.held && faults === 0)
    found.push(`without faults, the total is ${now.total}, but the pages contain ${now.held} events`);
  // A workspace without new events is audited once a day.
  for (const hours of [3, 24]) {
    if (now.total === now.held) break;
    world.setAuditsOn();
    await world.run(world.kernel.now() + hours * HOUR_MS);
    now = await readCounts();
    world.seen.add("the hourly audit found a lost event number");
  }
  const { total, held, stored } = now;
  if (total !== held || held !== stored)
    found.push(`the total is ${total}, the pages contain ${held} events, and ${stored} are stored`);
  return found;
};

const compareOpenList = async (deps: Deps, { fixture, events, packs }: FinalState) => {
  const listed = new Set((await listOpenEvents(deps, fixture.ws, { limit: "all" })).map(({ seq }) => seq));
  const reopenedOn = new Map(events.map(({ eventId, life }) => [eventId, life.reopened?.on ?? 0]));
  const acknowledged = new Set(
    packs.flatMap(({ eventId, requiresAck, recipients }) =>
      requiresAck && recipients.some(({ acknowledgedAt = 0 }) => acknowledgedAt > (reopenedOn.get(eventId) ?? 0))
        ? [eventId]
        : [],
    ),
  );
  const isOpen = ({ eventId, life }: StoredEvent) =>
    life.needsAck && !isAcknowledgedOrFinal(life) && !acknowledged.has(eventId);
  const wrong = events.filter((event) => isOpen(event) !== listed.has(event.seq));
  return {
    unlisted: wrong.filter(isOpen).map(({ content }) => `${content.title} is open, but not listed as open`),
    left: wrong
      .filter((event) => !isOpen(event))
      .map(({ content }) => `${content.title} has ended, but is still listed as open`),
  };
};

/** Checks the list of open events. After two faults, an event that has ended may stay listed until the next audit. */
const checkOpenList = async ({ world }: Play, ended: FinalState, faults: number): Promise<string[]> => {
  const readOpenList = () => world.outside((deps) => compareOpenList(deps, ended));
  const { unlisted, left } = await readOpenList();
  if (left.length === 0 || faults < 2) return [...unlisted, ...left];
  world.setAuditsOn();
  await world.run(world.kernel.now() + AUDITED_WITHIN_MS);
  return [...unlisted, ...(await readOpenList()).left];
};
/** One hourly audit stores the event numbers, the next counts the events, and the third checks the list of open events. */
const AUDITED_WITHIN_MS = 4 * HOUR_MS;

export const findViolations = async (
  scenario: Scenario,
  play: Play,
  observations: Observations,
  { rested, faults }: { rested: boolean; faults: number },
): Promise<string[]> => {
  const { world } = play;
  const found = [...observations.violations, ...play.clients.failures];
  if (!rested) found.push("P4: the work did not end");
  for (const name of queueNames)
    for (const { body } of world.queues[name].dead)
      if (scenario.isExpectedDeadLetter?.(body) !== true)
        found.push(`a message is in the dead-letter queue of ${name}: ${body.slice(0, 80)}`);
  if (faults === 0 && scenario.expectsNoErrors !== false)
    for (const { code, error } of world.logs)
      if (error !== undefined) found.push(`without faults, ${code}: ${describeError(error)}`);
  if (faults === 0)
    for (const { title, answers } of play.clients.posts)
      for (const { status } of answers)
        if (status >= 500 && title !== scenario.titleOfKilledPost) found.push(`P3: ${title} was answered ${status}`);
  found.push(...checkNoPushTwice(play));
  const all: FinalState[] = [];
  for (const fixture of play.fixtures)
    all.push(
      await world.outside(async (deps) => ({
        fixture,
        events: await listEventsBetween(deps, fixture.ws, { from: 0, to: EVERYTHING }),
        packs: await listNewestPacks(deps, fixture.ws, EVERYTHING),
      })),
    );
  found.push(...checkPushOwners(play, all));
  // Two faults may leave the outcome of a push unclear twice.
  const mayEnd = faults > 1 || scenario.hasUnknownOutcomes === true;
  for (const ended of all) {
    found.push(...checkDelivered(scenario, play, ended, mayEnd));
    found.push(...(await world.outside((deps) => checkAllDevices(deps, play, ended, mayEnd))));
    found.push(...(await world.outside((deps) => checkOrigins(deps, ended))));
    found.push(...checkAnswers(play, ended));
    found.push(...checkInTime(scenario, play, ended, observations, faults));
    found.push(...checkQuietAfterAcknowledgement(play, ended));
    // The list is checked before audits may run, because audits end events that have been open for a month.
    found.push(...(await checkOpenList(play, ended, faults)));
    found.push(...(await checkCounts(play, ended, faults)));
    found.push(...checkPaidMessages(play, ended.fixture, faults));
  }
  if (scenario.check !== undefined) found.push(...(await scenario.check(play)));
  return found;
};
