import type { Deps } from "../deps.ts";
import type { OnCallOverrideInput, OnCallSchedule } from "../domain/on-call/index.ts";
import type { GroupSchedule, OnCallOverride, OnCallView } from "../domain/on-call-views.ts";
import { scheduleReferenceFaults } from "../domain/references.ts";
import { invalid, notFound } from "../domain/refusal.ts";
import type { Warning } from "../domain/warning.ts";
import { loadPeople } from "../store/config.ts";
import { readGroup } from "../store/groups.ts";
import { readMember } from "../store/members.ts";
import * as onCall from "../store/on-call.ts";

/** People of the schedule who are not in its group: their shifts tell nobody. */
const outsiderWarnings = (schedule: OnCallSchedule, memberIds: readonly string[]): Warning[] => {
  const scheduled = new Set(schedule.layers.flatMap(({ participants }) => participants));
  return [...scheduled]
    .filter((userId) => !memberIds.includes(userId))
    .map((id) => ({
      code: "participant_not_in_group",
      message: "A participant is not in the group: nobody is told while this person is on call.",
      id,
    }));
};

/** Throws Refusal `not_found` for an unknown group, `invalid_input` for people who are no members of the workspace. */
export const putSchedule = async (
  deps: Pick<Deps, "table" | "now">,
  ws: string,
  groupId: string,
  schedule: OnCallSchedule,
): Promise<GroupSchedule & { warnings: Warning[] }> => {
  const people = await loadPeople(deps, ws);
  const group = people.groups.get(groupId);
  if (group === undefined) throw notFound("group");
  const faults = scheduleReferenceFaults(schedule, people);
  if (faults.length > 0) throw invalid(faults);
  const stored = await onCall.putSchedule(deps, ws, groupId, schedule);
  return { ...stored, warnings: outsiderWarnings(schedule, group.memberIds) };
};

/** Throws Refusal `not_found` for an unknown group and for one without a schedule. */
export const readOnCall = async (deps: Pick<Deps, "table">, ws: string, groupId: string): Promise<OnCallView> => {
  if ((await readGroup(deps, ws, groupId)) === undefined) throw notFound("group");
  const schedule = await onCall.readSchedule(deps, ws, groupId);
  if (schedule === undefined) throw notFound("on-call schedule");
  return { ...schedule, overrides: await onCall.listOverrides(deps, ws, groupId) };
};

/** Throws Refusal `not_found` for an unknown group, `invalid_input` for who is no member of the workspace. */
export const addOverride = async (
  deps: Pick<Deps, "table" | "now" | "newId">,
  ws: string,
  groupId: string,
  input: OnCallOverrideInput,
): Promise<OnCallOverride> => {
  if ((await readGroup(deps, ws, groupId)) === undefined) throw notFound("group");
  if ((await readMember(deps, ws, input.userId)) === undefined)
    throw invalid([
      { field: "userId", code: "unknown_reference", message: "userId must be the id of a member of this workspace." },
    ]);
  return onCall.addOverride(deps, ws, groupId, input);
};
