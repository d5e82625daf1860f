import { listEventsBetween } from "../../core/store/events/events.ts";
import { listHeartbeatEventIds } from "./heartbeats.ts";
import type { Ws } from "./history.ts";
import type { Answered, EventView, WorkspaceModel, Play } from "./play.ts";
import { listValuesWithin } from "./specification.ts";

/* Notices of the service: the month's quota is used up, events have expired, or a device is lost. */

type Notice = {
  id: string;
  key: string;
  month: string;
  events: number;
  priority: string;
  /** The recipients; undefined: the owners. */
  to: readonly string[] | undefined;
};

const fieldOf = (data: object | undefined, name: string): unknown =>
  data === undefined ? undefined : Reflect.get(data, name);

const listNotices = async (play: Play, ws: Ws): Promise<Notice[]> =>
  (await listEventsBetween(play.world.faultlessDeps, ws, { from: 0, to: 1_000_000 }))
    .filter(({ content }) => content.eventKey.startsWith("service."))
    .map(({ eventId, content: { eventKey, data, priority, notice } }) => {
      const [month, events] = [fieldOf(data, "month"), fieldOf(data, "events")];
      return {
        id: eventId,
        key: eventKey,
        month: typeof month === "string" ? month : "",
        events: typeof events === "number" ? events : 0,
        priority,
        to: notice?.to,
      };
    });

export const listShownIds = async (play: Play, model: WorkspaceModel): Promise<string[]> =>
  [...model.events, ...(await listNotices(play, model.fixture.ws as Ws))]
    .map(({ id }) => id)
    .concat(await listHeartbeatEventIds(play, model.fixture.ws))
    .toSorted()
    .toReversed();

const isSameSet = (one: readonly string[], other: readonly string[]): boolean =>
  one.toSorted().join() === other.toSorted().join();

/**
 * Checks, when no work is left, that there is one notice for each month whose quota is used up. Each expired event must be in
 * one notice, to every member, or to the people concerned.
 */
export const judgeNotices = async (
  play: Play,
  ws: Ws,
  as: string,
  sent: readonly EventView[],
): Promise<EventView[]> => {
  const model = play.model[ws];
  const all = await listNotices(play, ws);
  const notices = all.filter(({ key }) => key === "service.quota");
  const expired = sent.filter(({ state }) => state === "expired").length;
  const notifiedOf = all.reduce((sum, { events }) => sum + events, 0);
  const addViolation = (text: string) => play.violations.push(`${ws}: ${text}`);
  const monthAt = (ms: number) => new Date(ms).toISOString().slice(0, 7);
  if (notifiedOf !== expired) addViolation(`${expired} events have expired, and people were notified of ${notifiedOf}`);
  const months = Map.groupBy([...model.events, ...model.lost], ({ from }) => monthAt(from));
  for (const { id, month } of notices) {
    if (notices.filter((other) => other.month === month).length > 1)
      addViolation(`people were notified twice of the quota of ${month}`);
    // A request around the end of a month may count for either month.
    const near = [...model.events, ...model.lost].filter(({ from, to }) =>
      [monthAt(from), monthAt(to)].includes(month),
    );
    if (near.length < model.limit) addViolation(`${id} says that ${month} is used up after ${near.length} events`);
  }
  for (const [month, some] of months)
    if (
      play.isUndisturbed() &&
      some.filter(({ to }) => monthAt(to) === month).length >= model.limit &&
      !notices.some((notice) => notice.month === month)
    )
      addViolation(`nobody was notified that the quota of ${month} is used up`);
  const views: EventView[] = [];
  for (const { id, priority: wanted, to } of all) {
    const { body }: Answered<EventView> = await play.call(ws, as, "get-event", { path: { eventId: id } });
    views.push(body);
    const plannedAt = play.seen.plannedAt(ws, id) ?? Infinity;
    const held = listValuesWithin(model.people, Date.parse(body.receivedAt), plannedAt);
    const wantedSets = held.map(({ members }) => members.filter((id) => to?.includes(id) ?? true));
    const notified = body.notifications.map(({ user }) => user.id);
    if (!wantedSets.some((people) => isSameSet(people, notified)))
      addViolation(`${id} told [${notified.join(" ")}], not ${to?.join(" ") ?? "the owners"}`);
    const odd = body.notifications.some(
      ({ rule, priority, requiresAck }) => rule.id !== "service" || priority !== wanted || requiresAck,
    );
    if (odd || body.state !== "none" || body.matchedRules.length > 0 || body.silence !== null)
      addViolation(`${id} was delivered as an event that rules match`);
  }
  return views;
};
