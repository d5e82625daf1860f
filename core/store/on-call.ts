import type { Deps } from "../deps.ts";
import { withoutParticipant, type OnCallOverrideInput, type OnCallSchedule } from "../domain/people/on-call/index.ts";
import { OVERRIDES_MAX } from "../domain/people/on-call/limits.ts";
import { GroupSchedule, OnCallOverride } from "../domain/people/on-call-views.ts";
import { Refusal } from "../domain/basics/refusal.ts";
import { toIso } from "../domain/basics/time.ts";
import { bumpPeopleVersion } from "./control.ts";
import { onCallKey, overrideKey, overridePrefix, peoplePk } from "./keys.ts";
import { deleteItem, getItem, putItem, putItemIf, queryItems } from "./table.ts";

/** Gives a group its schedule, replacing any that it had. */
export const putSchedule = async (
  deps: Pick<Deps, "table" | "now">,
  ws: string,
  groupId: string,
  schedule: OnCallSchedule,
): Promise<GroupSchedule> => {
  const item: GroupSchedule = { ...schedule, groupId, updatedAt: toIso(deps.now()) };
  await putItem(deps, onCallKey(ws, groupId), item);
  await bumpPeopleVersion(deps, ws);
  return item;
};

export const readSchedule = (
  deps: Pick<Deps, "table">,
  ws: string,
  groupId: string,
): Promise<GroupSchedule | undefined> => getItem(deps, onCallKey(ws, groupId), GroupSchedule);

/** Ordered by their start. */
export const listOverrides = async (
  deps: Pick<Deps, "table">,
  ws: string,
  groupId: string,
): Promise<OnCallOverride[]> => {
  const overrides = await queryItems(deps, { pk: peoplePk(ws), prefix: overridePrefix(groupId) }, OnCallOverride);
  return overrides.sort((a, b) => a.start.localeCompare(b.start) || a.id.localeCompare(b.id));
};

/** Refused beyond the number that a group may have. */
export const addOverride = async (
  deps: Pick<Deps, "table" | "now" | "newId">,
  ws: string,
  groupId: string,
  input: OnCallOverrideInput,
): Promise<OnCallOverride> => {
  const others = await listOverrides(deps, ws, groupId);
  if (others.length >= OVERRIDES_MAX)
    throw new Refusal("limit_reached", `A group has at most ${OVERRIDES_MAX} overrides. Delete one first.`);
  const override: OnCallOverride = { id: deps.newId("ovr"), groupId, ...input, createdAt: toIso(deps.now()) };
  await putItem(deps, overrideKey(ws, groupId, override.id), override);
  await bumpPeopleVersion(deps, ws);
  return override;
};

/** Says whether the override existed. */
export const deleteOverride = async (
  deps: Pick<Deps, "table">,
  ws: string,
  groupId: string,
  id: string,
): Promise<boolean> => {
  const key = overrideKey(ws, groupId, id);
  const known = (await getItem(deps, key, OnCallOverride)) !== undefined;
  await deleteItem(deps, key);
  await bumpPeopleVersion(deps, ws);
  return known;
};

const TRIES = 10;

/**
 * Removes a user from a group's schedule, where the others keep their turns, and deletes the user's overrides, so that
 * the layers apply again in their place.
 */
export const leaveOnCall = async (
  deps: Pick<Deps, "table" | "now">,
  ws: string,
  groupId: string,
  userId: string,
): Promise<void> => {
  for (const override of await listOverrides(deps, ws, groupId))
    if (override.userId === userId) await deleteItem(deps, overrideKey(ws, groupId, override.id));
  for (let round = 0; round < TRIES; round += 1) {
    const schedule = await readSchedule(deps, ws, groupId);
    if (schedule === undefined) return;
    const without = withoutParticipant(schedule, userId);
    if (without === schedule) return;
    const item: GroupSchedule = { ...without, groupId, updatedAt: toIso(deps.now()) };
    const put = await putItemIf(deps, onCallKey(ws, groupId), item, GroupSchedule, {
      condition: "updatedAt = :seen",
      values: { ":seen": schedule.updatedAt },
    });
    if (put.kind === "done") return;
  }
  throw new Error(`the schedule of ${groupId} changed under ${TRIES} tries to take a user out of it`);
};
