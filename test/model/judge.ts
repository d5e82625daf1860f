import { judgeHeartbeats, readHeartbeatViews } from "./heartbeats.ts";
import { workspaces, type Ws } from "./history.ts";
import { findStateFault, judgeLists, findEndOfEscalation, listSenderResolutions } from "./lifecycle.ts";
import { checkConfiguration } from "./reads.ts";
import { judgeNotices, listShownIds } from "./notices.ts";
import {
  findAcknowledgedAt,
  isLater,
  findLife,
  checkNextState,
  type Answered,
  type Action,
  type EventView,
  type WorkspaceModel,
  type NotificationView,
  type Play,
} from "./play.ts";
import { isAnyTemporary } from "./acknowledgements.ts";
import { judgePushes } from "./pushes.ts";
import { findAckFault, findFirstAcknowledgement } from "./acknowledgement-ends.ts";
import { countRepeats } from "./count-repeats.ts";
import { addRepeats } from "./repeats.ts";
import { judgeEventGroups, readEventGroups, applyPlacements, type EventGroups } from "./event-groups.ts";
import {
  findEscalationFault,
  listValuesWithin,
  listPeopleNamed,
  predict,
  type Firing,
  type Posted,
  type Prediction,
  type Target,
} from "./specification.ts";

const FINISHED_MS = 180_000;
const UNDISTURBED_MS = 5000;
const PAGE = 3;
const MINUTE_MS = 60_000;

const isSameSet = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.toSorted().join() === other.toSorted().join();

const describePrediction = ({ orders, silence, flapping }: Prediction): string =>
  flapping > 0
    ? `nobody, ${flapping} held because it flaps`
    : silence === null
      ? `[${orders.map(({ rule, recipients, priority }) => `${rule.id} v${rule.version} ${priority}: ${recipients.join(" ")}`).join("; ")}]`
      : `nobody, ${silence.recipients} silenced by ${silence.id}`;

const fitsView = ({ orders, silence, flapping }: Prediction, view: EventView): boolean => {
  const rules = orders.map(({ rule }) => `${rule.id} ${rule.version}`);
  if (
    !isSameSet(
      rules,
      view.matchedRules.map(({ id, version }) => `${id} ${version}`),
    )
  )
    return false;
  if (silence?.id !== view.silence?.id || silence?.recipients !== view.silence?.recipients) return false;
  if (flapping !== (view.flapping?.recipients ?? 0)) return false;
  const wanted = orders.flatMap(({ rule, recipients, priority, requiresAck }) =>
    recipients.map((userId) => [rule.id, rule.version, userId, priority, requiresAck].join(" ")),
  );
  // People added by a person or by a handoff are not notified by a rule.
  const first = view.notifications.filter(({ escalationStep, added }) => escalationStep === 0 && added === null);
  const seen = first.map(({ rule, user, priority, requiresAck }) =>
    [rule.id, rule.version, user.id, priority, requiresAck].join(" "),
  );
  return isSameSet(wanted, seen);
};

const readFirings = (view: EventView, ruleId: string): Map<number, Firing> => {
  const steps = view.notifications.filter(({ rule, escalationStep }) => rule.id === ruleId && escalationStep > 0);
  return new Map(
    [...Map.groupBy(steps, ({ escalationStep }) => escalationStep)].map(([step, told]) => [
      step,
      { at: Date.parse(told[0]!.createdAt), userIds: told.map(({ user }) => user.id) },
    ]),
  );
};

/** Returns the steps that ran by the time `to`; `findAckFault` checks the later ones. */
const listFiringsBefore = (firings: ReadonlyMap<number, Firing>, to: number): Map<number, Firing> =>
  new Map([...firings].filter(([, { at }]) => at <= to));

/** Lists the moments of a period at which a shift may begin or end: its ends and the whole minutes between them. */
const listMoments = (from: number, to: number): number[] => {
  const moments = [from, to];
  for (let minute = Math.ceil(from / MINUTE_MS) * MINUTE_MS; minute < to; minute += MINUTE_MS) moments.push(minute);
  return moments;
};

/** When an event was planned: at `shown` if a notification shows the time, and always between `from` and `to`. */
type Planning = { from: number; to: number; isHeld: boolean; heldUntil: number; shown: number | undefined };

/** Lists what an event may lead to: a prediction for each configuration that was in force and for each possible time. */
const listPredictions = (
  model: WorkspaceModel,
  posted: Posted,
  view: EventView,
  { from, to, isHeld, heldUntil, shown }: Planning,
): Prediction[] => {
  const receivedAt = Date.parse(view.receivedAt);
  const listHeld = <Value>(eras: Parameters<typeof listValuesWithin<Value>>[0]) => listValuesWithin(eras, from, to);
  const found = new Map<string, Prediction>();
  for (const rules of listHeld(model.rules))
    for (const people of listHeld(model.people))
      for (const silences of listHeld(model.silences))
        for (const at of shown === undefined ? listMoments(from, to) : [shown]) {
          const prediction = predict(posted, { rules, people, silences }, at, { receivedAt, isHeld, heldUntil });
          found.set(JSON.stringify(prediction), prediction);
        }
  return [...found.values()];
};

/** The longest time that a matcher takes from reading the configuration to storing a plan. */
const MATCHER_MS = 20_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** The longest time until people are notified after a silence has ended, if nothing fails. */
const NOTIFIED_WITHIN_MS = 3 * MINUTE_MS;

/**
 * Returns whether an event that was held back must have notified somebody. It must, if within a day of its receipt nothing
 * failed or held it back for some minutes.
 */
const isOverdue = (
  play: Play,
  model: WorkspaceModel,
  posted: Posted,
  view: EventView,
  { plannedAt, heldUntil }: { plannedAt: number; heldUntil: number },
): boolean => {
  const ends = model.silences.flatMap(({ value, sure }) => [sure, ...value.flatMap(({ endsAt }) => endsAt ?? [])]);
  const earliest = Math.max(plannedAt, play.isUndisturbed() ? 0 : play.world.disturbedUntil() + FINISHED_MS);
  // Later times do not count, because a history may end a day after the event.
  const latest = posted.from + DAY_MS - NOTIFIED_WITHIN_MS;
  return [earliest, heldUntil, ...ends]
    .filter((from) => from >= earliest && from <= latest)
    .some((from) => {
      const planning = { from, to: from + NOTIFIED_WITHIN_MS, isHeld: true, heldUntil, shown: undefined };
      // An event that no rule matches any more need not notify anybody, and shows no active silence.
      return listPredictions(model, posted, view, planning).every(
        ({ orders, silence, holds }) => orders.length > 0 && silence === null && !holds,
      );
    });
};

/** Lists the predictions for the event's last plan; a plan after a silence or flapping may have a raised priority. */
const listLastPredictions = (
  play: Play,
  model: WorkspaceModel,
  posted: Posted,
  view: EventView,
  { plannedAt, heldUntil, raised }: { plannedAt: number; heldUntil: number; raised: readonly string[] },
): Prediction[] => {
  const shown = readPlanTime(view);
  const again = play.seen.plannedAgainAt(posted.ws, posted.id);
  const first = {
    from: posted.from,
    to: plannedAt,
    isHeld: false,
    heldUntil,
    shown: again === undefined ? shown : undefined,
  };
  const predictions = listPredictions(model, posted, view, first);
  if (again === undefined) return predictions;
  if (!predictions.some(({ holds }) => holds)) return [];
  // If only flapping held the event back, a silence that began after the receipt does not cover the event.
  const after = { from: again - MATCHER_MS, to: again, heldUntil, shown };
  return [true, false]
    .filter((bySilence) => predictions.some(({ holds, silence }) => holds && (silence !== null) === bySilence))
    .flatMap((isHeld) =>
      [posted.priority, ...raised].flatMap((priority) =>
        listPredictions(model, { ...posted, priority }, view, { ...after, isHeld }),
      ),
    );
};

/**
 * Returns when all notifications of a rule before a step had failed, by the senders' last writes: at the earliest `low`, at the
 * latest `high`. A notification may have failed before a person reported its status.
 */
const findFailureTimeBefore =
  (play: Play, model: WorkspaceModel, view: EventView, ruleId: string) => (step: number) => {
    const notified = view.notifications.filter(
      ({ rule, escalationStep }) => rule.id === ruleId && escalationStep < step,
    );
    const isReported = ({ id }: NotificationView) => model.reports.has(id);
    if (notified.length === 0 || !notified.every((seen) => seen.status === "FAILED" || isReported(seen)))
      return undefined;
    // A notification that no sender wrote has not failed: a person reported its status before a sender tried it.
    const sent = notified.flatMap(({ id }) => play.seen.sentAt(model.fixture.ws, id) ?? []);
    if (sent.length < notified.length) return undefined;
    const at = Math.max(...sent);
    return { low: at, high: notified.some(isReported) ? Infinity : at };
  };

/** An alert flaps after four changes within 20 minutes. The event itself may be the fourth, so at least three come before it. */
const CHANGES_BEFORE_MIN = 3;
const FLAPPING_MS = 30 * MINUTE_MS;

const countChangesBefore = ({ events }: WorkspaceModel, posted: Posted): number =>
  events.filter(
    (one) =>
      isLater(posted, one) &&
      one.to > posted.from - FLAPPING_MS &&
      [one.dedupeKey, one.resolves].includes(posted.dedupeKey),
  ).length;

/** Checks an event, and returns the actions that resolved it or may have resolved it. */
const judgeEvent = (
  play: Play,
  model: WorkspaceModel,
  posted: Posted,
  view: EventView,
  storms: EventGroups,
): Action[] => {
  const { world, violations } = play;
  const addViolation = (text: string): Action[] => {
    violations.push(`${posted.title} (${posted.id}): ${text}`);
    return [];
  };
  const plannedAt = play.seen.plannedAt(posted.ws, posted.id);
  if (plannedAt === undefined || !view.matched) return addViolation("its rules were never asked");
  const calm = play.isUndisturbed();
  const latestTimeFor = (due: number) =>
    calm ? due + UNDISTURBED_MS : Math.max(due, world.disturbedUntil()) + FINISHED_MS;
  if (plannedAt > latestTimeFor(posted.to))
    addViolation(`P4: its rules were applied ${plannedAt - posted.to} ms after its answer`);
  const received = Date.parse(view.receivedAt);
  if (received < posted.from || received > posted.to)
    addViolation(`received at ${view.receivedAt}, not when it was sent`);

  const placed = storms.placementsOf(posted.id);
  const heldUntil = storms.heldUntil(posted.id);
  if (heldUntil > 0 && countChangesBefore(model, posted) < CHANGES_BEFORE_MIN)
    addViolation(`it flaps, and its alert changed ${countChangesBefore(model, posted)} times before`);
  const asPlanned = listLastPredictions(play, model, posted, view, {
    plannedAt,
    heldUntil,
    raised: storms.raisesOf(posted.id),
  });
  const predictions = asPlanned.flatMap((prediction) => applyPlacements(prediction, placed) ?? []);
  const decidedAt = play.seen.plannedAgainAt(posted.ws, posted.id) ?? plannedAt;
  const right = predictions.filter((prediction) => fitsView(prediction, view));
  if (right.length === 0) {
    const notified = view.notifications
      .filter(({ escalationStep, added }) => escalationStep === 0 && added === null)
      .map(({ rule, user, priority }) => `${rule.id} v${rule.version} ${priority}: ${user.id}`);
    const silenced = view.silence === null ? "" : `, ${view.silence.recipients} silenced by ${view.silence.id}`;
    return addViolation(
      `P1: notified [${notified.join("; ")}]${silenced} instead of ${[...new Set(asPlanned.map(describePrediction))].join(" or ")}${placed.length === 0 ? "" : `, placed ${JSON.stringify(placed)}`}`,
    );
  }

  const life = findLife(model, posted.id);
  const lives = right.map(({ needsAck, holds }) => {
    const expired = view.expiredAt === null ? Infinity : Date.parse(view.expiredAt);
    const actions = [
      ...life.resolved,
      ...listSenderResolutions(model, posted, { plannedAt, asks: needsAck || holds, latest: latestTimeFor }),
    ];
    // Actions on an event after it has expired change nothing.
    const resolved = actions.filter(({ from }) => from < expired);
    return { resolved, fault: findStateFault(view, { ...life, resolved }, { needsAck, holds, plannedAt }) };
  });
  const { resolved, fault } = lives.find((one) => one.fault === undefined) ?? lives[0]!;
  if (fault !== undefined) addViolation(fault);
  const isOver = life.acknowledged.length + resolved.length > 0;
  if (right.every(({ holds }) => holds) && !isOver && isOverdue(play, model, posted, view, { plannedAt, heldUntil }))
    addViolation("nobody was notified, although the hold has ended");

  const listNameable = (targets: readonly Target[], from: number, to: number) =>
    listValuesWithin(model.people, from, to).flatMap((people) =>
      listMoments(from, to).map((at) => listPeopleNamed(targets, people, at)),
    );
  if (isAnyTemporary(life.acks)) {
    const end = Math.min(...resolved.map(({ from }) => from));
    const faults = right.map(({ orders }) =>
      findAckFault(view, life.acks, orders, { decidedAt, end, latest: latestTimeFor, mayName: listNameable }),
    );
    if (faults.every((one) => one !== undefined)) addViolation(`after its acknowledgements: ${faults[0]}`);
  }
  for (const { id } of view.matchedRules) {
    const whole = life.acknowledged.filter(({ ofEvent }) => ofEvent);
    const faults = right.map(({ orders }) =>
      findEscalationFault({
        order: orders.find(({ rule }) => rule.id === id)!,
        plannedAt: readPlanTime(view) ?? decidedAt,
        firings: isAnyTemporary(life.acks)
          ? listFiringsBefore(readFirings(view, id), findFirstAcknowledgement(model, posted.id, id)?.to ?? Infinity)
          : readFirings(view, id),
        acknowledged: findEndOfEscalation([findAcknowledgedAt(model, posted.id, id), ...whole, ...resolved]),
        unreachedBefore: findFailureTimeBefore(play, model, view, id),
        mayName: listNameable,
        latest: latestTimeFor,
      }),
    );
    if (faults.every((one) => one !== undefined)) addViolation(`escalation of ${id}: ${faults[0]}`);
  }
  return resolved;
};

/** Returns the time of the plan if a notification shows it; the plan is stored a moment later. */
const readPlanTime = (view: EventView): number | undefined => {
  const shown = view.notifications.find(
    ({ escalationStep, added }) => escalationStep === 0 && added === null,
  )?.createdAt;
  return shown === undefined ? undefined : Date.parse(shown);
};

const judgePages = async (play: Play, model: WorkspaceModel, ws: Ws, as: string): Promise<void> => {
  const newest = await listShownIds(play, model);
  const ids: string[] = [];
  for (let page = 1; ; page += 1) {
    const { body }: Answered<{ total: number; items: { id: string }[] }> = await play.call(ws, as, "list-events", {
      query: { page: String(page), limit: String(PAGE) },
    });
    ids.push(...body.items.map(({ id }) => id));
    if (body.total !== newest.length) play.violations.push(`${ws} has a total of ${body.total}, not ${newest.length}`);
    if (body.items.length < PAGE) break;
  }
  if (ids.join() !== newest.join())
    play.violations.push(`the pages of ${ws} hold [${ids.join(" ")}], not [${newest.join(" ")}]`);
};

const judgeKeys = async (play: Play, model: WorkspaceModel): Promise<void> => {
  for (const { id, text, live } of model.keys.filter(({ text }) => text !== undefined)) {
    const { status } = await play.world.http("ping", { headers: { "x-api-key": text ?? "" } });
    if (status !== (live ? 200 : 401))
      play.violations.push(`P6: the ${live ? "good" : "deleted"} key ${id} is answered ${status}`);
  }
};

export const judge = async (play: Play): Promise<void> => {
  const known = new Set<string>();
  for (const ws of workspaces) {
    const model = play.model[ws];
    const as = model.people.at(-1)!.value.members[0]!;
    await judgePages(play, model, ws, as);
    await checkConfiguration(play, ws, as);
    await judgeKeys(play, model);
    const shown: string[] = [];
    const views: EventView[] = [];
    for (const { id: eventId } of model.events)
      views.push((await play.call<EventView>(ws, as, "get-event", { path: { eventId } })).body);
    const storms = await readEventGroups(play, ws, [...views, ...(await readHeartbeatViews(play, ws, as))]);
    const ends = new Map<string, Action[]>();
    for (const [index, posted] of model.events.entries()) {
      const body = views[index]!;
      if (!model.keys.some(({ id }) => id === body.sender?.id))
        play.violations.push(`${posted.id} of ${ws} was sent by ${body.sender?.id ?? "nobody"}`);
      checkNextState(play, model, body);
      const resolved = judgeEvent(play, model, posted, body, storms);
      ends.set(posted.id, resolved);
      for (const seen of body.notifications) {
        shown.push(seen.id);
        judgePushes(play, model, seen, resolved);
      }
    }
    for (const notice of [...(await judgeNotices(play, ws, as, views)), ...(await judgeHeartbeats(play, ws, as))]) {
      views.push(notice);
      for (const seen of notice.notifications) {
        shown.push(seen.id);
        judgePushes(play, model, seen, []);
      }
    }
    judgeEventGroups(play, model, storms, views, (id) => ends.get(id) ?? []);
    addRepeats(play.repeats, countRepeats(play, model, storms, views));
    for (const { id } of views) known.add(`${ws} ${id}`);
    await judgeLists(play, ws, as, views);
    const { body } = await play.call<NotificationView[]>(ws, as, "list-notifications", { query: { limit: "200" } });
    const listed = body.map(({ id }) => id);
    const inOrder = body.every(({ createdAt }, index) => index === 0 || createdAt <= body[index - 1]!.createdAt);
    if (!inOrder || (listed.length < 200 && !isSameSet(listed, shown)))
      play.violations.push(`${ws} lists the notifications [${listed.join(" ")}] instead of [${shown.join(" ")}]`);
  }
  for (const { workspaceId: ws, token, eventId } of play.world.fcm.calls)
    if (!known.has(`${ws} ${eventId}`)) play.violations.push(`P5: a push of ${ws} for ${eventId} went to ${token}`);
};
