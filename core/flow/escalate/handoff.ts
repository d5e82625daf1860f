import type { Deps } from "../../deps.ts";
import { mayBeHandedOff, computeNextHandoffCheck, type Handoff } from "../../domain/escalation/handoff.ts";
import { isEventOver, toLifecycleView } from "../../domain/event/lifecycle.ts";
import type { Marker } from "../../domain/event/marker.ts";
import { fromIso } from "../../domain/basics/time.ts";
import type { NotificationView } from "../../domain/delivery/notification-view.ts";
import { findOnCallGroups } from "../../domain/on-call/duties.ts";
import { listRecipientsOfTargets, type People } from "../../domain/people/people.ts";
import { readEvent } from "../../store/events/events.ts";
import { moveMarker, removeMarker } from "../../store/events/markers.ts";
import { addPeople, type AdditionMarker } from "../respond/add-people.ts";
import { readWrittenViews } from "../read/read-event.ts";

export type HandoffMarker = Marker & { hand: Handoff };

/** Returns whether a person has acknowledged the event, or was notified by a handoff, since a time in milliseconds. */
const hasTakenOver = (views: readonly NotificationView[], userId: string, since: number): boolean =>
  views.some(
    ({ user, added, createdAt, acknowledgedAt, acknowledgedBy }) =>
      (acknowledgedBy?.id === userId && (fromIso(acknowledgedAt ?? "") ?? 0) > since) ||
      (user.id === userId && added?.because === "handed_over" && (fromIso(createdAt) ?? 0) > since),
  );

/**
 * Hands off an acknowledged event after the acknowledger's shift: notifies the next people on call once, with LOW priority. While
 * the shift lasts or nobody else is on call, schedules another check, for about two weeks at most. Returns the marker for
 * notifying the next people, if any. Idempotent.
 */
export const handOff = async (
  deps: Pick<Deps, "table" | "now" | "log">,
  people: People,
  marker: HandoffMarker,
): Promise<AdditionMarker[]> => {
  const { ws, eventId, due, hand } = marker;
  const { userId, name, at, groupIds } = hand;
  const now = deps.now();
  const event = await readEvent(deps, ws, eventId);
  const { reopened } = event?.life ?? {};
  const isReopened = reopened !== undefined && reopened.on > at;
  const isLeft = event === undefined || isEventOver(event.life) || isReopened || !mayBeHandedOff(hand, now);
  const groups = new Map(groupIds.map((groupId) => [groupId, people.duty(groupId).group]));
  const duty = findOnCallGroups(groups, userId, now);
  const isOn = duty.groupIds.length > 0;
  const views = isLeft || isOn ? [] : await readWrittenViews(deps, event);
  if (isLeft || (!isOn && toLifecycleView(event.life, views).state !== "acknowledged")) {
    await removeMarker(deps, marker);
    return [];
  }
  const targets = groupIds.map((groupId) => ({ type: "group" as const, groupId, onCallOnly: true }));
  const following = isOn ? [] : listRecipientsOfTargets(people, targets, now);
  if (following.length === 0) {
    await moveMarker(deps, marker, { ...marker, due: computeNextHandoffCheck(duty.until, now, hand) });
    return [];
  }
  const recipients = following.filter((person) => !hasTakenOver(views, person.userId, at));
  const once = `hand over ${due} ${groupIds.join(" ")}`;
  const addition = { because: "handed_over", by: { id: userId, name }, priority: "LOW", once } as const;
  const added =
    recipients.length === 0
      ? []
      : [await addPeople(deps, event, recipients, { ...addition, requiresAck: event.life.needsAck })];
  await removeMarker(deps, marker);
  deps.log.info("event.handed_off", { workspaceId: ws, eventId, recipients: recipients.length });
  return added;
};
