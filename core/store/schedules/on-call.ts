import type { AuditDeps, TableDeps } from "../../deps.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import type { MemberOfGroup } from "../../domain/people/group.ts";
import {
  type DutyGroup,
  GAP_HORIZON_DAYS,
  type OnCallOverrideInput,
  type OnCallSchedule,
  OVERRIDES_MAX,
  removeFromSchedule,
} from "../../domain/on-call/index.ts";
import {
  listDutyChanges,
  listOverrideChanges,
  removeOverrides,
  addOverrides,
} from "../../domain/on-call/duty-moves.ts";
import { GroupSchedule, noSchedule, OnCallOverride } from "../../domain/on-call/views.ts";
import { endsAfter } from "../../domain/on-call/override.ts";
import { DAY_MS } from "../../domain/basics/units.ts";
import { Refusal } from "../../domain/basics/refusal.ts";
import { findCoverDeadline } from "../../domain/shifts/cover.ts";
import { toIso } from "../../domain/basics/time.ts";
import type { IfMatch } from "../../domain/basics/version.ts";
import { raisePeopleVersion } from "../events/control.ts";
import { scheduleKey, overrideKey, overridePrefix, peoplePk } from "../keys.ts";
import { getItem, queryItems } from "../table.ts";
import { withdrawCoversOf, readCover, withdrawCover } from "./covers.ts";
import {
  changeVersionedItem,
  createRecordedItem,
  deleteRecordedItem,
  toFirstAuthors,
  putVersionedItem,
  type AuditOf,
} from "../configuration/versioned.ts";

/** Describes a group's schedule for the audit trail, including the changes of people on call. */
const describeSchedule = (
  deps: AuditDeps,
  ws: WorkspaceId,
  groupId: string,
  overrides: readonly OnCallOverride[],
): AuditOf<GroupSchedule> => ({
  ws,
  kind: "schedule",
  id: groupId,
  onCall: (before, after) => {
    const toDuty = (schedule: OnCallSchedule = noSchedule): DutyGroup => ({ schedule, overrides });
    return listDutyChanges(toDuty(before), toDuty(after), deps.now(), deps.now() + GAP_HORIZON_DAYS * DAY_MS);
  },
});

/** Describes an override for the audit trail. `duty`: the group's schedule and overrides without this override. */
const describeOverride = (deps: AuditDeps, ws: WorkspaceId, id: string, duty: DutyGroup): AuditOf<OnCallOverride> => ({
  ws,
  kind: "override",
  id,
  shown: ({ groupId, createdBy: _createdBy, ...shown }) => ({ ...shown, group: groupId }),
  onCall: (before, after) => {
    const addToDuty = (added?: OnCallOverride): DutyGroup => (added === undefined ? duty : addOverrides(duty, [added]));
    const changed = before ?? after;
    return listOverrideChanges(addToDuty(before), addToDuty(after), changed === undefined ? [] : [changed], deps.now());
  },
});

const readScheduleAndOverrides = async (deps: AuditDeps, ws: WorkspaceId, groupId: string) => {
  const [schedule = noSchedule, overrides] = await Promise.all([
    readSchedule(deps, ws, groupId),
    listOverrides(deps, ws, groupId),
  ]);
  return { schedule, overrides };
};

/** Creates or replaces a group's schedule. Throws Refusal `changed_meanwhile` if the stored version is not the expected one. */
export const putSchedule = async (
  deps: AuditDeps,
  ws: WorkspaceId,
  groupId: string,
  next: (previous: OnCallSchedule | undefined) => OnCallSchedule,
  expected?: IfMatch,
): Promise<GroupSchedule> => {
  const toNext = (previous: GroupSchedule | undefined): GroupSchedule => {
    if (previous === undefined)
      return { ...next(undefined), groupId, version: 1, updatedAt: toIso(deps.now()), ...toFirstAuthors(deps) };
    const { version, updatedAt, createdBy, updatedBy, ...schedule } = previous;
    return { ...next(schedule), groupId, version, updatedAt, createdBy, updatedBy };
  };
  const recorded = describeSchedule(deps, ws, groupId, await listOverrides(deps, ws, groupId));
  const put = await putVersionedItem(deps, scheduleKey(ws, groupId), GroupSchedule, toNext, { recorded, expected });
  await raisePeopleVersion(deps, ws);
  return put;
};

export const readSchedule = (deps: TableDeps, ws: WorkspaceId, groupId: string): Promise<GroupSchedule | undefined> =>
  getItem(deps, scheduleKey(ws, groupId), GroupSchedule);

/** Lists the overrides, sorted by start. */
export const listOverrides = async (deps: TableDeps, ws: WorkspaceId, groupId: string): Promise<OnCallOverride[]> => {
  const overrides = await queryItems(deps, { pk: peoplePk(ws), prefix: overridePrefix(groupId) }, OnCallOverride);
  return overrides.sort((a, b) => a.start.localeCompare(b.start) || a.id.localeCompare(b.id));
};

/** Throws Refusal `limit_reached` if a group has the maximum number of current and future overrides. */
export const requireRoomForOverride = (overrides: readonly OnCallOverride[], now: number): void => {
  if (overrides.filter((override) => endsAfter(override, now)).length >= OVERRIDES_MAX)
    throw new Refusal("limit_reached", `A group has at most ${OVERRIDES_MAX} overrides. Delete one first.`);
};

/** Adds an override. Throws Refusal `limit_reached` above the group's limit. Past overrides do not count towards the limit. */
export const addOverride = async (
  deps: AuditDeps,
  ws: WorkspaceId,
  groupId: string,
  input: OnCallOverrideInput,
): Promise<OnCallOverride> => {
  const now = deps.now();
  const duty = await readScheduleAndOverrides(deps, ws, groupId);
  requireRoomForOverride(duty.overrides, now);
  const override: OnCallOverride = {
    id: deps.newId("ovr"),
    groupId,
    ...input,
    createdAt: toIso(now),
    createdBy: deps.table.author.userId,
  };
  await createRecordedItem(deps, overrideKey(ws, groupId, override.id), override, {
    schema: OnCallOverride,
    recorded: describeOverride(deps, ws, override.id, duty),
    stored: override,
  });
  await raisePeopleVersion(deps, ws);
  return override;
};

/** Returns an override's cover if the cover is taken and has not begun; otherwise undefined. */
const findTakenCover = async (deps: AuditDeps, ws: WorkspaceId, { coverId }: OnCallOverride) => {
  const cover = coverId === undefined ? undefined : await readCover(deps, ws, coverId);
  return cover?.state === "taken" && findCoverDeadline(cover) > deps.now() ? cover : undefined;
};

/** Deletes an override. Also withdraws the override's cover, if the cover has not begun. */
export const deleteOverride = async (
  deps: AuditDeps,
  ws: WorkspaceId,
  groupId: string,
  id: string,
): Promise<boolean> => {
  const key = overrideKey(ws, groupId, id);
  const override = await getItem(deps, key, OnCallOverride);
  const cover = override === undefined ? undefined : await findTakenCover(deps, ws, override);
  const duty = await readScheduleAndOverrides(deps, ws, groupId);
  if (cover !== undefined) return (await withdrawCover(deps, ws, cover, duty)) !== undefined;
  const recorded = describeOverride(deps, ws, id, removeOverrides(duty, [id]));
  const known = await deleteRecordedItem(deps, key, OnCallOverride, recorded);
  await raisePeopleVersion(deps, ws);
  return known !== undefined;
};

/** Removes a user from a group's schedule, but changes nobody else's turns. Withdraws the user's covers and overrides. */
export const removeFromOnCall = async (
  deps: AuditDeps,
  ws: WorkspaceId,
  { groupId, userId }: MemberOfGroup,
): Promise<void> => {
  const duty = await readScheduleAndOverrides(deps, ws, groupId);
  await withdrawCoversOf(deps, ws, { groupId, userId }, duty);
  let left = await listOverrides(deps, ws, groupId);
  for (const { id } of left.filter((override) => override.userId === userId)) {
    left = left.filter((override) => override.id !== id);
    const recorded = describeOverride(deps, ws, id, { ...duty, overrides: left });
    await deleteRecordedItem(deps, overrideKey(ws, groupId, id), OnCallOverride, recorded);
  }
  const removeUserFromSchedule = (schedule: GroupSchedule): GroupSchedule => removeFromSchedule(schedule, userId);
  const recorded = describeSchedule(deps, ws, groupId, left);
  await changeVersionedItem(deps, scheduleKey(ws, groupId), GroupSchedule, removeUserFromSchedule, { recorded });
};
