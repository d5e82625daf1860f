import type { Recording, TableDeps } from "../../deps.ts";
import { withoutParticipant, type OnCallOverrideInput, type OnCallSchedule } from "../../domain/on-call/index.ts";
import { OVERRIDES_MAX } from "../../domain/on-call/limits.ts";
import { GroupSchedule, OnCallOverride } from "../../domain/on-call/views.ts";
import { Refusal } from "../../domain/basics/refusal.ts";
import { beginOf } from "../../domain/shifts/cover.ts";
import { fromIso, toIso } from "../../domain/basics/time.ts";
import type { Expected } from "../../domain/basics/version.ts";
import { bumpPeopleVersion } from "../events/control.ts";
import { onCallKey, overrideKey, overridePrefix, peoplePk } from "../keys.ts";
import { getItem, queryItems } from "../table.ts";
import { leaveCovers, readCover, withdrawCover } from "./covers.ts";
import {
  changeVersioned,
  createRecorded,
  deleteRecorded,
  madeBy,
  putVersioned,
  type Recorded,
} from "../configuration/versioned.ts";

const scheduleRecordedAs = (ws: string, groupId: string): Recorded<GroupSchedule> => ({
  ws,
  kind: "schedule",
  id: groupId,
});
const overrideRecordedAs = (ws: string, id: string): Recorded<OnCallOverride> => ({
  ws,
  kind: "override",
  id,
  shown: ({ groupId, createdBy: _createdBy, ...shown }) => ({ ...shown, group: groupId }),
});

/**
 * Gives a group its schedule, made from its previous one. Throws Refusal `changed_meanwhile` if that is at none of the
 * expected versions, or if there is none.
 */
export const putSchedule = async (
  deps: Recording,
  ws: string,
  groupId: string,
  next: (previous: OnCallSchedule | undefined) => OnCallSchedule,
  expected?: Expected,
): Promise<GroupSchedule> => {
  const nextItem = (previous: GroupSchedule | undefined): GroupSchedule => {
    if (previous === undefined)
      return { ...next(undefined), groupId, version: 1, updatedAt: toIso(deps.now()), ...madeBy(deps) };
    const { version, updatedAt, createdBy, updatedBy, ...schedule } = previous;
    return { ...next(schedule), groupId, version, updatedAt, createdBy, updatedBy };
  };
  const recorded = scheduleRecordedAs(ws, groupId);
  const put = await putVersioned(deps, onCallKey(ws, groupId), GroupSchedule, nextItem, { recorded, expected });
  await bumpPeopleVersion(deps, ws);
  return put;
};

export const readSchedule = (deps: TableDeps, ws: string, groupId: string): Promise<GroupSchedule | undefined> =>
  getItem(deps, onCallKey(ws, groupId), GroupSchedule);

/** Ordered by their start. */
export const listOverrides = async (deps: TableDeps, ws: string, groupId: string): Promise<OnCallOverride[]> => {
  const overrides = await queryItems(deps, { pk: peoplePk(ws), prefix: overridePrefix(groupId) }, OnCallOverride);
  return overrides.sort((a, b) => a.start.localeCompare(b.start) || a.id.localeCompare(b.id));
};

/** Throws Refusal `limit_reached` if a group has its maximum of overrides that are not over. */
export const refuseTooMany = (overrides: readonly OnCallOverride[], now: number): void => {
  if (overrides.filter(({ end }) => (fromIso(end) ?? 0) > now).length >= OVERRIDES_MAX)
    throw new Refusal("limit_reached", `A group has at most ${OVERRIDES_MAX} overrides. Delete one first.`);
};

/** Refused above the group's limit; overrides that are over do not count. */
export const addOverride = async (
  deps: Recording,
  ws: string,
  groupId: string,
  input: OnCallOverrideInput,
): Promise<OnCallOverride> => {
  const now = deps.now();
  refuseTooMany(await listOverrides(deps, ws, groupId), now);
  const override: OnCallOverride = {
    id: deps.newId("ovr"),
    groupId,
    ...input,
    createdAt: toIso(now),
    createdBy: deps.table.author.userId,
  };
  await createRecorded(deps, overrideKey(ws, groupId, override.id), override, {
    schema: OnCallOverride,
    recorded: overrideRecordedAs(ws, override.id),
    stored: override,
  });
  await bumpPeopleVersion(deps, ws);
  return override;
};

/** The cover to which an override is bound, if it has not begun. */
const coverOf = async (deps: Recording, ws: string, { coverId }: OnCallOverride) => {
  const cover = coverId === undefined ? undefined : await readCover(deps, ws, coverId);
  return cover?.state === "taken" && beginOf(cover) > deps.now() ? cover : undefined;
};

/** Returns whether the override existed. One of a cover that has not begun deletes the whole cover. */
export const deleteOverride = async (deps: Recording, ws: string, groupId: string, id: string): Promise<boolean> => {
  const key = overrideKey(ws, groupId, id);
  const override = await getItem(deps, key, OnCallOverride);
  const cover = override === undefined ? undefined : await coverOf(deps, ws, override);
  if (cover !== undefined) return (await withdrawCover(deps, ws, cover)) !== undefined;
  const known = await deleteRecorded(deps, key, OnCallOverride, overrideRecordedAs(ws, id));
  await bumpPeopleVersion(deps, ws);
  return known !== undefined;
};

/**
 * Removes a user from a group's schedule, where the others keep their turns, withdraws the user's covers and deletes the
 * user's overrides, so that the layers apply again in their place.
 */
export const leaveOnCall = async (deps: Recording, ws: string, groupId: string, userId: string): Promise<void> => {
  await leaveCovers(deps, ws, groupId, userId);
  for (const override of await listOverrides(deps, ws, groupId))
    if (override.userId === userId)
      await deleteRecorded(
        deps,
        overrideKey(ws, groupId, override.id),
        OnCallOverride,
        overrideRecordedAs(ws, override.id),
      );
  const without = (schedule: GroupSchedule): GroupSchedule => withoutParticipant(schedule, userId);
  const recorded = scheduleRecordedAs(ws, groupId);
  await changeVersioned(deps, onCallKey(ws, groupId), GroupSchedule, without, { recorded });
};
