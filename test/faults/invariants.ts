import type { Deps } from "../../core/deps.ts";
import { parseNotificationId, parsePackId } from "../../core/domain/basics/ids.ts";
import { toIso } from "../../core/domain/basics/time.ts";
import { DEDUPE_WINDOW_SECONDS } from "../../core/domain/basics/limits.ts";
import { isOver } from "../../core/domain/event/life.ts";
import { termEnd } from "../../core/domain/escalation/term.ts";
import { noticeRule } from "../../core/domain/event/notice.ts";
import { isDone, isNotNeeded, NO_DEVICES } from "../../core/domain/delivery/notification.ts";
import { listEvents } from "../../core/flow/read/list-events.ts";
import { readPlannedPacks } from "../../core/flow/read/read-event.ts";
import { readControl } from "../../core/store/control.ts";
import { linesOf, phoneWays, type Device, type PaidWay } from "../../core/domain/device/device.ts";
import { listDevices } from "../../core/store/devices.ts";
import { listEventsBetween } from "../../core/store/events.ts";
import { type StoredEvent } from "../../core/domain/event/stored-event.ts";
import { listNewestPacks } from "../world/newest-packs.ts";
import { type Pack } from "../../core/domain/delivery/pack.ts";
import { listOpenEvents } from "../../core/store/open-events.ts";
import { queueNames } from "../world/queues.ts";
import { CLOCK_JUMP_MS } from "./engine/modes.ts";
import { CALL_MS, type PushCall, tokenOf } from "./engine/fcm.ts";
import { services } from "./engine/outside.ts";
import { unanswered } from "./engine/modes.ts";
import type { Fixture } from "./fixtures.ts";
import type { Observations } from "./observe.ts";
import type { Play, Scenario } from "./scenario.ts";

export const describeError = (error: unknown): string =>
  error instanceof Error ? error.message : JSON.stringify(error);

const EVERYTHING = 1_000_000;
const UNDISTURBED_MS = 5000;
const FINISHED_SECONDS = 180;
const HOUR_MS = 3_600_000;

type Ended = { fixture: Fixture; events: StoredEvent[]; packs: Pack[] };

const namesOf = (fixture: Fixture): ReadonlyMap<string, string> =>
  new Map(Object.entries(fixture.users).map(([name, id]) => [id, name]));

const sameSet = (one: readonly string[], other: readonly string[]): boolean => {
  const all = new Set(other);
  return one.length === other.length && one.every((entry) => all.has(entry));
};

const callsFor = ({ world }: Play, { ws }: Fixture, notificationId: string): readonly PushCall[] =>
  world.fcm.callsFor(ws, notificationId);

const byEvent = (packs: readonly Pack[]): ReadonlyMap<string, Pack[]> => Map.groupBy(packs, ({ eventId }) => eventId);

const SHOWN = 200;
const some = (names: readonly string[]): string =>
  `${names.slice(0, SHOWN).join(" ")}${names.length > SHOWN ? ` and ${names.length - SHOWN} more` : ""}`;

/** Every notification that the rules call for exists, and has its final status. */
const delivered = (scenario: Scenario, play: Play, { fixture, events, packs }: Ended, mayEnd: boolean): string[] => {
  const found: string[] = [];
  const names = namesOf(fixture);
  const packsOf = byEvent(packs);
  for (const event of events) {
    const mine = packsOf.get(event.eventId) ?? [];
    const people = mine
      .filter((pack) => parsePackId(pack.packId)?.cursor === 0)
      .flatMap((pack) => pack.recipients.map(({ userId }) => `${pack.rule.name}|${names.get(userId) ?? userId}`));
    const { eventKey, title } = event.content;
    // A device that a fault ends may be somebody's last, in any scenario.
    const told =
      eventKey === "service.unreachable"
        ? [people.filter((one) => one.startsWith(`${noticeRule.name}|`))]
        : scenario.tells({ ws: fixture.ws, eventKey, title }, play.fixtures);
    if (told !== undefined && !told.some((way) => sameSet(way, people)))
      found.push(`P1: ${title} told [${some(people)}] instead of ${told.map((way) => `[${some(way)}]`).join(" or ")}`);
    if (event.notifications !== mine.reduce((sum, { recipients }) => sum + recipients.length, 0))
      found.push(`count: ${title} counts ${event.notifications} notifications, there are others`);
    for (const pack of mine)
      for (const { notificationId, status, attempts, failedReason, sentAt } of pack.recipients) {
        const calls = callsFor(play, fixture, notificationId);
        if (!isDone(status, attempts)) found.push(`P1: ${notificationId} of ${title} ended ${status}, not finished`);
        if (status === "SENT" && !calls.some(({ takenAt }) => takenAt !== undefined))
          found.push(`P1: ${notificationId} is SENT, FCM never took it`);
        if (status === "SENT" && sentAt === undefined) found.push(`P1: ${notificationId} is SENT without a time`);
        if (status === "FAILED" && (failedReason ?? "") === "")
          found.push(`P1: ${notificationId} FAILED without a reason`);
        const noAnswer = failedReason?.includes("no answer") === true;
        // If the device is gone after a claim whose sender died, there is no second try, and nobody to send to.
        const triedTwice = Object.values(attempts ?? {}).some(({ unknowns }) => unknowns > 1);
        const mayBeUnsent =
          failedReason === NO_DEVICES || isNotNeeded(failedReason ?? null) || (noAnswer && !triedTwice);
        if (status === "FAILED" && !mayBeUnsent && calls.length === 0)
          found.push(`P1: ${notificationId} FAILED, and nothing was ever sent: ${failedReason}`);
        if (status === "FAILED" && noAnswer && triedTwice && !mayEnd)
          found.push(`P1: ${notificationId} was given up after one fault: ${failedReason}`);
      }
  }
  return found;
};

/**
 * Each text message and call that its service took is counted before, and others only where nobody can know, or where a
 * fault kept the count from being taken back.
 */
const paidFor = (play: Play, fixture: Fixture, faults: number): string[] =>
  phoneWays.flatMap((way) => paidForBy(way, play, fixture, faults));

const paidForBy = (paid: PaidWay, { world }: Play, { ws, tokens }: Fixture, faults: number): string[] => {
  const items = world.dynamo.list(`WS#${ws}#${paid.toUpperCase()}`);
  const counted = items.reduce((sum, item) => sum + Number(item["sent"]?.N), 0);
  const all = [...world.fcm.calls, ...world.fcm.overs];
  const calls = all.filter(({ workspaceId, way }) => workspaceId === ws && way === paid);
  const taken = calls.filter(({ takenAt }) => takenAt !== undefined).length;
  // Only Connect knows that a call is under way.
  const unclear = calls.filter((call) => call.takenAt === undefined && (excused(call) || call.repeats)).length;
  const repeated = world.calls.lines.filter(({ mode }) => mode !== undefined && unanswered.includes(mode)).length;
  // One throttling may hit two senders at once, of which one dies.
  const unsettled = world.logs.filter(({ code }) => code === "budget.not_settled").length;
  // A pack's messages are counted together, and taken back together.
  const most = [...(tokens ?? [])].flatMap(([, own]) => own).length;
  if (counted >= taken && counted <= taken + unclear + most * (Math.max(faults, repeated) + unsettled)) return [];
  return [`budget: ${counted} of ${paid} counted, ${taken} taken, ${unclear} unclear, ${faults} faults`];
};

/** Nothing is pushed twice, except after calls whose outcome nobody can know. */
const excused = (call: PushCall): boolean =>
  call.answer === "unknown" || (!call.stored && (call.invocation.state === "dead" || call.invocation.faulted));

const final: readonly PushCall["answer"][] = ["accepted", "unregistered", "invalid", "foreign"];
const settledWithout: readonly string[] = ["ACKNOWLEDGED", "OPENED", "DELIVERED"];

/**
 * Every device that its owner had all along was called until its answer was final, or, if `mayEnd` allows a push to end
 * so, until its outcome was unclear twice.
 */
const allDevices = async (deps: Deps, play: Play, { fixture, packs }: Ended, mayEnd: boolean): Promise<string[]> => {
  if (packs.length === 0) return [];
  const found: string[] = [];
  const known = new Map<string, Promise<Device[]>>();
  const devicesOf = (userId: string) => {
    const devices = known.get(userId) ?? listDevices(deps, fixture.ws, userId);
    known.set(userId, devices);
    return devices;
  };
  const began = toIso(Math.min(...packs.map(({ createdAt }) => createdAt)));
  for (const { notificationId, userId, status, failedReason, attempts } of packs.flatMap((pack) => pack.recipients)) {
    if (settledWithout.includes(status) || isNotNeeded(failedReason ?? null)) continue;
    const tokens = fixture.tokens?.get(userId) ?? [];
    const held = (await devicesOf(userId)).flatMap((device) => {
      const token = tokenOf(device);
      const [line] = linesOf([device]);
      // A browser's that is known to be another sender's ends with any refusal of our signature, too.
      const isKnownForeign = device.foreignSince !== undefined && device.subscription !== undefined;
      const ends: readonly PushCall["answer"][] = isKnownForeign ? [...final, "auth"] : final;
      return tokens.includes(token) ? [{ key: line?.key ?? "", token, since: device.registeredAt, ends }] : [];
    });
    // One that was pruned may have been registered again.
    const before = held.filter(({ since }) => since < began).length;
    if (failedReason === NO_DEVICES && before > 0)
      found.push(`P1: ${notificationId} failed for want of a device, ${userId} has ${before}`);
    if (failedReason === NO_DEVICES || failedReason?.includes("expired") === true) continue;
    for (const { key, token, ends } of held) {
      if (mayEnd && attempts?.[key]?.outcome === "unclear") continue;
      const last = callsFor(play, fixture, notificationId).findLast((call) => call.token === token);
      if (last === undefined) found.push(`P1: ${notificationId} is ${status}, ${token} was never called`);
      else if (!ends.includes(last.answer))
        found.push(`P1: ${notificationId} is ${status}, ${token} was given up after the answer ${last.answer}`);
    }
  }
  return found;
};

/** Every push goes to a device of its recipient, in the workspace of its event. */
const toTheRightPhones = ({ world }: Play, all: readonly Ended[]): string[] => {
  const owners = new Map(
    all.flatMap(({ fixture: { ws }, packs }) =>
      packs.flatMap(({ recipients }) =>
        recipients.map(({ notificationId, userId }) => [`${ws} ${notificationId}`, userId] as const),
      ),
    ),
  );
  const tokensOf = new Map(all.map(({ fixture: { ws, tokens, later } }) => [ws, later ?? tokens]));
  return world.fcm.calls.flatMap(({ workspaceId, notificationId, token }) => {
    const tokens = tokensOf.get(workspaceId);
    if (tokens === undefined && tokensOf.has(workspaceId)) return [];
    const owner = owners.get(`${workspaceId} ${notificationId}`) ?? "";
    return tokens?.get(owner)?.includes(token) === true
      ? []
      : [`P5: ${notificationId} of ${workspaceId} went to ${token}`];
  });
};

/** Whether nothing showed, when this device was refused as another sender's, that others take pushes. */
const isUnproven = (world: Play["world"], { answer, at, way, workspaceId, notificationId, invocation }: PushCall) => {
  const pack = parseNotificationId(notificationId)?.packId;
  return (
    answer === "foreign" &&
    !world.fcm.calls.some(
      (other) =>
        other.workspaceId === workspaceId &&
        parseNotificationId(other.notificationId)?.packId === pack &&
        other.way === way &&
        other.answer === "accepted" &&
        other.stored &&
        (other.invocation === invocation || other.at < at),
    )
  );
};

const notTwice = ({ world }: Play): string[] => {
  const found: string[] = [];
  const groups = Map.groupBy(
    world.fcm.calls,
    ({ workspaceId, notificationId, token, again }) =>
      `${workspaceId} ${notificationId} to ${token}${again ? " again" : ""}`,
  );
  for (const [name, calls] of groups) {
    const taken = calls.filter(({ takenAt }) => takenAt !== undefined).length;
    const unknown = calls.filter(excused).length;
    if (taken > 1 + Math.min(1, unknown))
      found.push(`P2: FCM took ${name} ${taken} times, ${unknown} outcomes unknown`);
    const [{ way } = { way: "fcm" as const }] = calls;
    const times = calls.flatMap(({ takenAt }) => takenAt ?? []).toSorted((one, other) => one - other);
    if (way === "voice" && times.some((at, index) => at - (times[index - 1] ?? -Infinity) < CALL_MS))
      found.push(`P2: Connect called ${name} while it was calling`);
    if (taken > 1) world.seen.add("second push after an unknown outcome");
    if (taken > 1 && way !== "fcm") world.seen.add(`${services[way]} took one again after a lost answer`);
    if (calls.some(({ repeats }) => repeats)) world.seen.add("Connect knew a repeated call");
    for (const [index, call] of calls.entries()) {
      const last = calls[index - 1];
      if (last === undefined) continue;
      if (calls.slice(0, index).filter(excused).length > 1)
        found.push(`P2: ${name} was tried after two unknown outcomes`);
      const again = last.answer === "retry" || last.answer === "auth" || excused(last) || isUnproven(world, last);
      if (!again) found.push(`P2: ${name} was sent again after the answer ${last.answer}`);
      if (last.answer === "retry") world.seen.add("push repeated when FCM asked for it");
      if (call.at <= last.at) found.push(`P2: ${name} was sent side by side`);
    }
  }
  return found;
};

/** No notification exists without its event, plan and workspace. */
const grounded = async (deps: Deps, { fixture, events, packs }: Ended): Promise<string[]> => {
  const found: string[] = [];
  const expected = new Map<string, string>();
  for (const event of events) {
    if (event.plan === undefined) continue;
    for (const { packId, recipients } of await readPlannedPacks(deps, { ...event, plan: event.plan }))
      expected.set(packId, recipients.map(({ userId }) => userId).join());
  }
  for (const pack of packs) {
    const people = pack.recipients.map(({ userId }) => userId).join();
    if (expected.get(pack.packId) !== people) found.push(`pack ${pack.packId} is in no plan`);
    expected.delete(pack.packId);
    if (pack.workspaceId !== fixture.ws) found.push(`pack ${pack.packId} is in another workspace`);
  }
  for (const packId of expected.keys()) found.push(`P1: pack ${packId} of a plan is missing`);
  return found;
};

/** What the clients were told is true. */
const answered = ({ clients, world }: Play, { fixture, events }: Ended): string[] => {
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
    if (created > post.answers.length) found.push(`${post.title} made ${created} events`);
  }
  const claims = Map.groupBy(
    // Where senders say when an alert changed, another rule holds: test/faults/scenarios/out-of-order.ts.
    events.filter(({ content }) => content.dedupeKey !== undefined && content.changedAt === undefined),
    ({ content }) => content.dedupeKey,
  );
  for (const [key, same] of claims) {
    const inOrder = same.toSorted((one, other) => one.seq - other.seq);
    for (const [index, { seq, receivedAt }] of inOrder.entries()) {
      const last = inOrder[index - 1];
      const isFree = ({ seq: between, content: { resolves } }: StoredEvent) =>
        resolves === key && between > (last?.seq ?? 0) && between < seq;
      if (last === undefined || events.some(isFree)) continue;
      if (receivedAt - last.receivedAt < DEDUPE_WINDOW_SECONDS * 1000 - 2 * CLOCK_JUMP_MS - HOLDING_MS)
        found.push(`two events with the dedupeKey ${key} within its window`);
    }
  }
  if (world.dynamo.partitions().some((pk) => /^(PENDING|STEPS|ENDS)#/.test(pk) && world.dynamo.list(pk).length > 0))
    found.push("a marker is left over");
  return found;
};
/** A retry may store an event this much later than its key was claimed. */
const HOLDING_MS = 20_000;

const inTime = (
  scenario: Scenario,
  { world, clients }: Play,
  { events, packs }: Ended,
  { finishedAt }: Observations,
  faults: number,
): string[] => {
  const allowed = FINISHED_SECONDS * 1000;
  const found: string[] = [];
  const byId = new Map(events.map((event) => [event.eventId, event]));
  const posted = clients.posts.flatMap(({ ws, answers }) => answers.map((answer) => ({ ws, ...answer })));
  const postedOf = Map.groupBy(posted, ({ ws, eventId }) => `${ws} ${eventId}`);
  for (const pack of packs) {
    const at = finishedAt.get(pack.packId);
    const event = byId.get(pack.eventId);
    if (at === undefined || event === undefined) continue;
    const cursor = parsePackId(pack.packId)?.cursor;
    const isFirst = cursor === 0 && event.plan?.after === undefined && event.plan?.flapping === undefined;
    const from = isFirst ? event.receivedAt : pack.createdAt;
    const answers = postedOf.get(`${pack.workspaceId} ${pack.eventId}`) ?? [];
    const putOff = pack.recipients.flatMap(({ rings }) => rings?.[0]?.at ?? []);
    const last = Math.max(from, ...(isFirst ? answers.map((answer) => answer.at) : []), ...putOff);
    if (at - Math.max(last, world.disturbedUntil()) > allowed)
      found.push(
        `P4: pack ${pack.packId} was finished ${(at - Math.max(last, world.disturbedUntil())) / 1000} s after the faults`,
      );
    if (faults === 0 && scenario.quiet !== false && at - Math.max(from, ...putOff) > UNDISTURBED_MS)
      found.push(`P4: undisturbed, pack ${pack.packId} took ${(at - from) / 1000} s`);
  }
  return found;
};

/** No step wakes anybody after an acknowledgement was answered, as long as that holds. */
const quietAfterAcknowledgement = ({ world, clients }: Play, { fixture, packs }: Ended): string[] =>
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
        const holdsUntil = pack?.ackMinutes === undefined ? Infinity : termEnd(answeredAt, pack.ackMinutes);
        const held = call.at > answeredAt + CHECK_TO_PUSH_MS && call.at < holdsUntil - 2 * CLOCK_JUMP_MS;
        return same && pack?.escalates === true && held
          ? [`a step was sent to ${call.token} ${call.at - answeredAt} ms after the acknowledgement was answered`]
          : [];
      });
    });
/** The time between the sender's last check of the escalation and its push. */
const CHECK_TO_PUSH_MS = 50;

/** The time between the admission of an event and its receipt. */
const ADMITTED_BEFORE_MS = 10_000;

const counted = async (play: Play, { fixture, events }: Ended, faults: number): Promise<string[]> => {
  const { world } = play;
  const found: string[] = [];
  const look = () =>
    world.outside(async (deps) => {
      const control = await readControl(deps, fixture.ws);
      const pages = await listEvents(deps, fixture.ws, { page: 1, limit: EVERYTHING });
      const { used = 0, month = "" } = control ?? {};
      // An audit may make a notice of a quota that is used up.
      const stored = (await listEventsBetween(deps, fixture.ws, { from: 0, to: EVERYTHING })).length;
      return { used, month, total: pages.total, held: pages.items.length, stored };
    });
  let now = await look();
  const { used, month } = now;
  const isIn = (ms: number) => toIso(ms).startsWith(month);
  const sent = events.filter(({ content }) => content.notice === undefined && content.heartbeat === undefined);
  const monthly = sent.filter(({ receivedAt }) => isIn(receivedAt)).length;
  // The month in which an event is admitted counts it; these may have been admitted in one and received in the next.
  const between = sent.filter(({ receivedAt }) => isIn(receivedAt) !== isIn(receivedAt - ADMITTED_BEFORE_MS)).length;
  // Each failed attempt of a client may have used up one of the quota. So may each call that the SDK made again although
  // it had taken effect, if another admission came in between.
  const failed = play.clients.posts.flatMap(({ answers }) => answers.filter(({ status }) => status >= 500)).length;
  const repeated = world.calls.lines.filter(({ mode }) => mode !== undefined && unanswered.includes(mode)).length;
  if (Math.abs(used - monthly) > Math.max(faults, failed + repeated) + between)
    found.push(`quota: ${used} used, ${monthly} events, ${faults} faults, ${failed} answers failed`);
  if (now.total !== now.held && faults === 0)
    found.push(`undisturbed, total is ${now.total}, the pages hold ${now.held}`);
  if (now.total !== now.held) {
    world.withAudits();
    await world.run(world.kernel.now() + 3 * HOUR_MS);
    now = await look();
    world.seen.add("lost number found by the audit");
  }
  const { total, held, stored } = now;
  if (total !== held || held !== stored) found.push(`total is ${total}, the pages hold ${held}, stored are ${stored}`);
  return found;
};

/** An event is listed as open until somebody acknowledges or resolves it, and no longer. */
const openOrOver = async (deps: Deps, { fixture, events, packs }: Ended) => {
  const listed = new Set((await listOpenEvents(deps, fixture.ws, { limit: "all" })).map(({ seq }) => seq));
  const reopenedOn = new Map(events.map(({ eventId, life }) => [eventId, life.reopened?.on ?? 0]));
  const acknowledged = new Set(
    packs.flatMap(({ eventId, requiresAck, recipients }) =>
      requiresAck && recipients.some(({ acknowledgedAt = 0 }) => acknowledgedAt > (reopenedOn.get(eventId) ?? 0))
        ? [eventId]
        : [],
    ),
  );
  const isOpen = ({ eventId, life }: StoredEvent) => life.needsAck && !isOver(life) && !acknowledged.has(eventId);
  const wrong = events.filter((event) => isOpen(event) !== listed.has(event.seq));
  return {
    unlisted: wrong.filter(isOpen).map(({ content }) => `${content.title} is open and not listed so`),
    left: wrong
      .filter((event) => !isOpen(event))
      .map(({ content }) => `${content.title} is over and still listed as open`),
  };
};

/** If two faults kept a client from its answer for so long that it gave up, the audit takes the event off the list. */
const open = async ({ world }: Play, ended: Ended, faults: number): Promise<string[]> => {
  const look = () => world.outside((deps) => openOrOver(deps, ended));
  const { unlisted, left } = await look();
  if (left.length === 0 || faults < 2) return [...unlisted, ...left];
  world.withAudits();
  await world.run(world.kernel.now() + AUDITED_WITHIN_MS);
  return [...unlisted, ...(await look()).left];
};
/** Three audits: one notes the numbers, the next counts the events, and the third finds them on the list again. */
const AUDITED_WITHIN_MS = 4 * HOUR_MS;

/** Checks everything that must hold when a run has come to rest. */
export const findViolations = async (
  scenario: Scenario,
  play: Play,
  observations: Observations,
  { rested, faults }: { rested: boolean; faults: number },
): Promise<string[]> => {
  const { world } = play;
  const found = [...observations.violations, ...play.clients.failures];
  if (!rested) found.push("P4: it never came to rest");
  for (const name of queueNames)
    for (const { body } of world.queues[name].dead)
      if (scenario.poison?.(body) !== true)
        found.push(`a message is in the dead-letter queue of ${name}: ${body.slice(0, 80)}`);
  if (faults === 0 && scenario.quiet !== false)
    for (const { code, error } of world.logs)
      if (error !== undefined) found.push(`undisturbed, ${code}: ${describeError(error)}`);
  if (faults === 0)
    for (const { title, answers } of play.clients.posts)
      for (const { status } of answers)
        if (status >= 500 && title !== scenario.dies) found.push(`P3: ${title} was answered ${status}`);
  found.push(...notTwice(play));
  const all: Ended[] = [];
  for (const fixture of play.fixtures)
    all.push(
      await world.outside(async (deps) => ({
        fixture,
        events: await listEventsBetween(deps, fixture.ws, { from: 0, to: EVERYTHING }),
        packs: await listNewestPacks(deps, fixture.ws, EVERYTHING),
      })),
    );
  found.push(...toTheRightPhones(play, all));
  // Two faults may also leave an outcome unclear twice.
  const mayEnd = faults > 1 || scenario.unclear === true;
  for (const ended of all) {
    found.push(...delivered(scenario, play, ended, mayEnd));
    found.push(...(await world.outside((deps) => allDevices(deps, play, ended, mayEnd))));
    found.push(...(await world.outside((deps) => grounded(deps, ended))));
    found.push(...answered(play, ended));
    found.push(...inTime(scenario, play, ended, observations, faults));
    found.push(...quietAfterAcknowledgement(play, ended));
    // Before audits may run, which also end what has been open for a month.
    found.push(...(await open(play, ended, faults)));
    found.push(...(await counted(play, ended, faults)));
    found.push(...paidFor(play, ended.fixture, faults));
  }
  if (scenario.check !== undefined) found.push(...(await scenario.check(play)));
  return found;
};
