import {
  pickValue,
  expectStatus,
  idOf,
  isLater,
  currentValue,
  findLife,
  memberAt,
  recordAcknowledged,
  rankOf,
  checkNextState,
  type Answered,
  type Action,
  type EventView,
  type Handlers,
  type Life,
  type WorkspaceModel,
  type LifecycleView,
  type NotificationView,
  type Play,
} from "./play.ts";
import { people, type Ws } from "./history.ts";
import { listShownIds } from "./notices.ts";
import { isAnyTemporary, computeFinalState } from "./acknowledgements.ts";
import { recordAck } from "./acknowledgement-ends.ts";
import type { Posted } from "./specification.ts";

/**
 * Lists the later events that resolve the event by its dedupeKey. The resolution is certain if the event was the last with
 * the key, or was open until the resolving event was matched. `asks`: somebody has to acknowledge the event, now or when the
 * silence that holds it back ends.
 */
export const listSenderResolutions = (
  model: WorkspaceModel,
  posted: Posted,
  { plannedAt, asks, latest }: { plannedAt: number; asks: boolean; latest: (due: number) => number },
): Action[] => {
  const { dedupeKey } = posted;
  if (dedupeKey === null) return [];
  const life = findLife(model, posted.id);
  return model.events
    .filter((other) => other.resolves === dedupeKey && isLater(other, posted))
    .filter((other) => other.resolvesAny || other.sender === posted.sender)
    .map((other): Action => {
      const to = latest(other.to);
      const between = model.events.filter((one) => isLater(one, posted) && isLater(other, one));
      const hadItLast = between.every((one) => one.dedupeKey !== dedupeKey && one.resolves !== dedupeKey);
      const wasOpen = asks && plannedAt < other.from && life.acknowledged.every(({ from }) => from > to);
      const sure = hadItLast || wasOpen;
      return { by: other.id, from: other.from, to: sure ? to : Infinity, sure, ofEvent: true };
    });
};

export const listPossibleFirsts = (actions: readonly Action[]): Action[] =>
  actions.filter(({ from }) => !actions.some(({ sure, to }) => sure && to < from));

const isBy = (actions: readonly Action[], by: string | undefined, at: string | null): boolean =>
  listPossibleFirsts(actions).some(
    (action) => action.by === by && at !== null && action.from <= Date.parse(at) && Date.parse(at) <= action.to,
  );

const OPEN_MS = 30 * 24 * 3_600_000;

/** Returns the fault of an event that the API shows as expired: it must have been open for 30 days. */
const findExpiryFault = (view: EventView, actions: readonly Action[], needsAck: boolean): string | undefined => {
  const at = Date.parse(view.expiredAt ?? "");
  if (!needsAck) return "expired, and nobody had to acknowledge it";
  if (!(at - Date.parse(view.receivedAt) >= OPEN_MS)) return `expired at ${view.expiredAt}, before its time`;
  const before = actions.find(({ sure, to }) => sure && to < at);
  return before === undefined ? undefined : `expired at ${view.expiredAt}, after ${before.by} had ended it`;
};

/** Returns the fault of an event's state, or undefined if the state is correct. */
export const findStateFault = (
  view: EventView,
  { acknowledged, resolved, ignoredAt, acks }: Pick<Life, "acknowledged" | "resolved" | "ignoredAt" | "acks">,
  { needsAck, holds, plannedAt }: { needsAck: boolean; holds: boolean; plannedAt: number },
): string | undefined => {
  if (view.state === "expired" && isAnyTemporary(acks)) return undefined;
  if (view.state === "expired") return findExpiryFault(view, [...acknowledged, ...resolved], needsAck);
  const isResolved = view.state === "resolved";
  if (isResolved && !isBy(resolved, view.resolvedBy?.id, view.resolvedAt))
    return `resolved by ${view.resolvedBy?.id} at ${view.resolvedAt}, but nobody resolved it first`;
  const sure = resolved.find((action) => action.sure);
  if (!isResolved && sure !== undefined) return `${view.state}, and ${sure.by} has resolved it`;
  if (isAnyTemporary(acks)) {
    const wanted = computeFinalState(acks, needsAck);
    return isResolved || view.state === wanted
      ? undefined
      : `${view.state} instead of ${wanted}, after its acknowledgements`;
  }
  const counted = needsAck || holds ? acknowledged : [];
  const state = counted.length > 0 ? "acknowledged" : needsAck ? "open" : "none";
  if (!isResolved && view.state !== state) return `${view.state} instead of ${state}`;
  if (counted.length === 0 && view.acknowledgedBy !== null)
    return `acknowledged by ${view.acknowledgedBy.id}, who did not acknowledge it`;
  if (counted.length > 0 && !isBy(counted, view.acknowledgedBy?.id, view.acknowledgedAt))
    return `acknowledged by ${view.acknowledgedBy?.id} at ${view.acknowledgedAt}, who was not the first`;
  if ((needsAck || holds) && ignoredAt !== undefined && plannedAt < ignoredAt)
    return "an acknowledgement of it was ignored";
  return undefined;
};

/** Returns the earliest and the latest time at which the first action ended the escalation; undefined without an action. */
export const findEndOfEscalation = (actions: readonly ({ from: number; to: number } | undefined)[]) => {
  const all = actions.filter((action) => action !== undefined);
  if (all.length === 0) return undefined;
  return { from: Math.min(...all.map(({ from }) => from)), to: Math.min(...all.map(({ to }) => to)) };
};

const needsAckOf = ({ requiresAck, user }: NotificationView, userId: string): boolean =>
  requiresAck && user.id === userId;

export const readEvent = async (play: Play, ws: Ws, as: string, eventId: string): Promise<EventView> =>
  (await play.call<EventView>(ws, as, "get-event", { path: { eventId } })).body;

/** Records that the caller's existing notifications are acknowledged with the event, unless the event is resolved. */
export const recordOwnAcknowledgements = (
  play: Play,
  model: WorkspaceModel,
  as: string,
  answer: Answered<unknown>,
  [before, after]: [EventView, EventView],
  isAcknowledged: boolean,
) => {
  const { from, to } = answer;
  for (const seen of after.notifications.filter((one) => needsAckOf(one, as))) {
    const earlier = before.notifications.find(({ id }) => id === seen.id);
    if (seen.status !== "ACKNOWLEDGED") {
      if (isAcknowledged && earlier !== undefined && earlier.status !== "QUEUED")
        play.violations.push(`${seen.id} is ${seen.status}, and its event was acknowledged by ${as}`);
      continue;
    }
    if (model.reports.get(seen.id)?.acknowledged !== undefined) continue;
    model.reports.set(seen.id, {
      status: "ACKNOWLEDGED",
      acknowledged: { from, to },
      acknowledgedAt: seen.acknowledgedAt,
    });
    play.clients.acknowledgements.push({ ws: model.fixture.ws, notificationId: seen.id, answeredAt: to, status: 200 });
    recordAcknowledged(model, seen, { by: as, from, to, sure: true, ofEvent: false });
  }
};

export const lifecycle = {
  acknowledge: async (play, { ws, by, picks }) => {
    const model = play.model[ws];
    const as = memberAt(model, by);
    const eventIds = [...new Set(picks.flatMap((pick) => pickValue(model.events, pick)?.id ?? []))];
    if (eventIds.length === 0) return undefined;
    const before = await Promise.all(eventIds.map((id) => readEvent(play, ws, as, id)));
    const answer = await play.call<LifecycleView[]>(ws, as, "acknowledge-events", { body: { eventIds } });
    if (!expectStatus(play, `acknowledge ${eventIds.join(" ")}`, answer, [200])) return "acknowledge";
    if (answer.body.map(({ id }) => id).join() !== eventIds.join())
      play.violations.push(`${eventIds.join(" ")} were acknowledged, answered were others`);
    for (const [index, view] of answer.body.entries()) {
      checkNextState(play, model, view);
      const known = findLife(model, view.id);
      await recordAck(play, model, as, view.id, answer, { rule: null, snoozed: null, again: false });
      if (view.state === "open") play.violations.push(`${view.id} is open after its acknowledgement was answered`);
      if (view.state === "none") known.ignoredAt = answer.from;
      if (view.state === "acknowledged")
        known.acknowledged.push({ by: as, from: answer.from, to: answer.to, sure: true, ofEvent: true });
      if (view.state === "acknowledged" && !view.acknowledgedBy)
        play.violations.push(`${view.id} is acknowledged by nobody`);
      recordOwnAcknowledgements(
        play,
        model,
        as,
        answer,
        [before[index]!, await readEvent(play, ws, as, view.id)],
        view.state === "acknowledged",
      );
    }
    return `acknowledge ${answer.body.map(({ id, state }) => `${id} (${state})`).join(" ")} by ${as}`;
  },
  resolve: async (play, { ws, by, pick, note }) => {
    const model = play.model[ws];
    const event = pickValue(model.events, pick);
    if (event === undefined) return undefined;
    const as = memberAt(model, by);
    const answer = await play.call<LifecycleView>(ws, as, "resolve-event", {
      path: { eventId: event.id },
      body: note === null ? {} : { note },
    });
    if (!expectStatus(play, `resolve ${event.id}`, answer, [200])) return "resolve";
    checkNextState(play, model, answer.body);
    if (answer.body.state === "expired") return `resolve ${event.id}, which has expired`;
    if (answer.body.state !== "resolved")
      play.violations.push(`${event.id} is ${answer.body.state} after it was resolved`);
    const { resolved } = findLife(model, event.id);
    resolved.push({ by: as, from: answer.from, to: answer.to, sure: true, ofEvent: true });
    if (resolved.length === 1 && answer.body.resolvedBy?.id === as && answer.body.note !== note)
      play.violations.push(`${event.id} has the note ${answer.body.note} instead of ${note}`);
    return `resolve ${event.id} by ${as}`;
  },
  snooze: async (play, { ws, by, pick, minutes }) => {
    const model = play.model[ws];
    const event = pickValue(model.events, pick);
    if (event === undefined) return undefined;
    const as = memberAt(model, by);
    const before = await readEvent(play, ws, as, event.id);
    const answer = await play.call<LifecycleView>(ws, as, "snooze-event", {
      path: { eventId: event.id },
      body: { minutes },
    });
    // 409: nobody has to acknowledge the event, it has ended, or its rules have not been evaluated yet.
    if (!expectStatus(play, `snooze ${event.id}`, answer, [200, 409]) || answer.status === 409)
      return `snooze ${event.id}: ${answer.status}`;
    if (answer.body.state !== "acknowledged")
      play.violations.push(`${event.id} is ${answer.body.state} after it was snoozed`);
    const { from, to } = answer;
    findLife(model, event.id).acknowledged.push({ by: as, from, to, sure: true, ofEvent: true });
    await recordAck(play, model, as, event.id, answer, { rule: null, snoozed: minutes, again: false });
    recordOwnAcknowledgements(play, model, as, answer, [before, await readEvent(play, ws, as, event.id)], true);
    return `snooze ${event.id} for ${minutes} minutes by ${as}`;
  },
  listOpen: async (play, { ws, by }) => {
    const model = play.model[ws];
    const as = memberAt(model, by);
    const open = await play.call<{ items: { id: string; state: string }[] }>(ws, as, "list-events", {
      query: { state: "open", limit: "100" },
    });
    const mine = await play.call<NotificationView[]>(ws, as, "list-notifications", {
      query: { user: "me", state: "open", limit: "200" },
    });
    if (!expectStatus(play, "list what is open", open, [200]) || !expectStatus(play, "list my own", mine, [200]))
      return "list what is open";
    const shown = await listShownIds(play, model);
    const listed = [...open.body.items.map(({ id }) => id), ...mine.body.map(({ event }) => event.id)];
    for (const id of listed) {
      if (!shown.includes(id)) play.violations.push(`${ws} lists ${id}, which belongs to another workspace`);
      const { acknowledged, resolved, acks } = findLife(model, id);
      if (isAnyTemporary(acks) && resolved.length === 0) continue;
      // Not checked after a fault: a matcher that repeats another matcher's work briefly lists an ended event as open.
      if (play.isUndisturbed() && [...acknowledged, ...resolved].length > 0)
        play.violations.push(`${id} has ended, but is listed as open`);
    }
    for (const seen of mine.body)
      if (!needsAckOf(seen, as) || rankOf(seen.status) >= rankOf("ACKNOWLEDGED"))
        play.violations.push(`${seen.id} of ${seen.user.id} is listed as open for ${as}`);
    return `list what is open: ${open.body.items.length} events, ${mine.body.length} of ${as}`;
  },
} satisfies Partial<Handlers>;

/**
 * Checks, when no work is left, that every list by state contains the events in that state. Every inbox must contain the events
 * that wait for its owner.
 */
export const judgeLists = async (play: Play, ws: Ws, as: string, views: readonly EventView[]): Promise<void> => {
  const model = play.model[ws];
  const compare = (what: string, found: readonly string[], wanted: readonly string[]) => {
    if (found.toSorted().join() !== wanted.toSorted().join())
      play.violations.push(`${ws} lists as ${what} [${found.join(" ")}] instead of [${wanted.join(" ")}]`);
  };
  const listEvents = async (query: Record<string, string>) =>
    (await play.call<{ items: LifecycleView[] }>(ws, as, "list-events", { query: { ...query, limit: "100" } })).body
      .items;
  for (const item of await listEvents({})) {
    const view = views.find(({ id }) => id === item.id);
    if (view !== undefined && view.state !== item.state)
      play.violations.push(`${item.id} is ${view.state}, and ${item.state} in the list`);
  }
  for (const state of ["open", "resolved"]) {
    const ids = (await listEvents({ state })).map(({ id }) => id);
    compare(
      state,
      ids,
      views.filter((view) => view.state === state).map(({ id }) => id),
    );
  }
  const silenced = (await listEvents({ outcome: "silenced" })).map(({ id }) => id);
  compare(
    "silenced",
    silenced,
    views.filter(({ silence }) => silence !== null).map(({ id }) => id),
  );
  const open = views.filter(({ state }) => state === "open").flatMap(({ notifications }) => notifications);
  for (const userId of people.map(idOf).filter((id) => currentValue(model.people).members.includes(id))) {
    const inbox = await play.call<NotificationView[]>(ws, userId, "list-notifications", {
      query: { user: "me", state: "open", limit: "200" },
    });
    compare(
      `open for ${userId}`,
      inbox.body.map(({ id }) => id),
      open.filter((seen) => needsAckOf(seen, userId) && seen.status !== "ACKNOWLEDGED").map(({ id }) => id),
    );
  }
};
