import type { TimedDeps } from "../../deps.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import { mapLimit } from "../../domain/basics/in-turns.ts";
import { fromIso } from "../../domain/basics/time.ts";
import { computeNextHandoffCheck } from "../../domain/escalation/handoff.ts";
import type { Priority } from "../../domain/basics/priority.ts";
import { findOnCallGroups } from "../../domain/on-call/duties.ts";
import type { DutyGroup } from "../../domain/on-call/index.ts";
import { noSchedule } from "../../domain/on-call/views.ts";
import { isNightIn } from "../../domain/basics/clock/night.ts";
import { createQuietPeriod } from "../../domain/planning/storm.ts";
import { loadOnCallSchedules, readGroupMember, type Schedules } from "../../store/people/people.ts";
import { listUnreachable } from "../read/reach-of-people.ts";
import { setQuietPeriod } from "../../store/events/event-groups.ts";
import { putMarker } from "../../store/events/markers.ts";

/** `told`: the groups of members through which the person was notified. `rang`: the groups of events that paged the person. */
type AckFacts = {
  told: readonly (string | undefined)[];
  rang: readonly { key: string; priority: Priority }[];
  /** The end of the acknowledgement in milliseconds; undefined if the acknowledgement is permanent. */
  ends: number | undefined;
};

/** Returns whether it is night in the time zone of the person's schedule. Returns false if no schedule names the person. */
const isNightForUser = ({ schedules }: Schedules, userId: string, groupIds: AckFacts["told"], now: number): boolean => {
  const own =
    schedules.find(({ groupId }) => groupIds.includes(groupId)) ??
    schedules.find(({ layers }) => layers.some(({ participants }) => participants.includes(userId)));
  return own !== undefined && isNightIn(own.timeZone, now);
};

/** Returns each group's schedule and overrides, without current overrides of people whom events would not notify. */
const readDutyGroups = async (
  deps: TimedDeps,
  ws: WorkspaceId,
  { schedules, overrides }: Schedules,
  at: number,
): Promise<Map<string, DutyGroup>> => {
  const present = overrides.filter(({ start, end }) => (fromIso(start) ?? 0) <= at && (fromIso(end) ?? 0) > at);
  const unreachable = await listUnreachable(deps, ws, [...new Set(present.map(({ userId }) => userId))]);
  const outside = await mapLimit(present, READS_AT_ONCE, async ({ id, groupId, userId }) =>
    (await readGroupMember(deps, ws, { groupId, userId })) === undefined ? id : undefined,
  );
  const counting = overrides.filter(
    (one) => !outside.includes(one.id) && !(present.includes(one) && unreachable.includes(one.userId)),
  );
  const groupIds = new Set([...schedules, ...counting].map(({ groupId }) => groupId));
  return new Map(
    [...groupIds].map((groupId) => [
      groupId,
      {
        schedule: schedules.find((one) => one.groupId === groupId) ?? noSchedule,
        overrides: counting.filter((one) => one.groupId === groupId),
      },
    ]),
  );
};
const READS_AT_ONCE = 10;

/** Schedules a handoff at the end of the acknowledger's shift. At night, also stops pages of the same event groups for a time. */
export const scheduleHandoff = async (
  deps: TimedDeps,
  ws: WorkspaceId,
  eventId: string,
  { id: userId, name }: { id: string; name: string },
  { told, rang, ends }: AckFacts,
): Promise<void> => {
  const at = deps.now();
  const schedules = await loadOnCallSchedules(deps, ws);
  if (isNightForUser(schedules, userId, told, at))
    for (const { key, priority } of rang)
      await setQuietPeriod(deps, ws, key, createQuietPeriod(userId, priority, { at, ackEnd: ends }));
  const { groupIds, until } = findOnCallGroups(await readDutyGroups(deps, ws, schedules, at), userId, at);
  if (groupIds.length === 0) return;
  const asked = groupIds.filter((groupId) => told.includes(groupId));
  const hand = { userId, name, at, groupIds: asked.length > 0 ? asked : groupIds };
  await putMarker(deps, { ws, eventId, due: computeNextHandoffCheck(until, at, hand), hand, since: at, tries: 0 });
};
