import type { TimedDeps } from "../../deps.ts";
import { nextLook } from "../../domain/escalation/hand-over.ts";
import type { Priority } from "../../domain/basics/priority.ts";
import { dutyOf, type Schedules } from "../../domain/on-call/duty.ts";
import { isNightIn } from "../../domain/basics/clock/night.ts";
import { calmAfter } from "../../domain/planning/storm.ts";
import { loadSchedules } from "../../store/people.ts";
import { setCalm } from "../../store/grouped.ts";
import { putMarker } from "../../store/markers.ts";

/** What somebody has acknowledged: for which groups of people the person was told, in which groups of events, until when. */
type Taken = {
  told: readonly (string | undefined)[];
  rang: readonly { key: string; priority: Priority }[];
  /** When the acknowledgement ends, in milliseconds; undefined where it holds for good. */
  ends: number | undefined;
};

/** Whether it is night for a person, as far as a schedule says where the person is. */
const isNight = ({ schedules }: Schedules, userId: string, told: Taken["told"], at: number): boolean => {
  const own =
    schedules.find(({ groupId }) => told.includes(groupId)) ??
    schedules.find(({ layers }) => layers.some(({ participants }) => participants.includes(userId)));
  return own !== undefined && isNightIn(own.timeZone, at);
};

/**
 * Sees to it that an event which a person acknowledges is told to the next ones when that person's shift ends: if the
 * person is on call for some of the groups for which it was told, it is their shifts that count. Nobody takes over from
 * somebody who is not on call. At night the next events of the same groups make no sound for that person for a while.
 */
export const takeInHand = async (
  deps: TimedDeps,
  ws: string,
  eventId: string,
  { id: userId, name }: { id: string; name: string },
  { told, rang, ends }: Taken,
): Promise<void> => {
  const at = deps.now();
  const schedules = await loadSchedules(deps, ws);
  if (isNight(schedules, userId, told, at))
    for (const { key, priority } of rang) await setCalm(deps, ws, key, calmAfter(userId, priority, { at, ends }));
  const { groupIds, until } = dutyOf(schedules, userId, at);
  if (groupIds.length === 0) return;
  const asked = groupIds.filter((groupId) => told.includes(groupId));
  const hand = { userId, name, at, groupIds: asked.length > 0 ? asked : groupIds };
  await putMarker(deps, { ws, eventId, due: nextLook(at, until, hand), hand, since: at, tries: 0 });
};
