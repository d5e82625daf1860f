import type { Deps } from "../../deps.ts";
import {
  gaps,
  keepingTurns,
  peopleOfSchedule,
  serving,
  type OnCallOverrideInput,
  type OnCallSchedule,
} from "../../domain/people/on-call/index.ts";
import type { OnCallView, WrittenOverride, WrittenSchedule } from "../../domain/people/on-call-views.ts";
import { scheduleReferenceFaults } from "../../domain/rules/references.ts";
import { invalid, notFound } from "../../domain/basics/refusal.ts";
import { toIso } from "../../domain/basics/time.ts";
import { warn } from "../../domain/people/warning.ts";
import { type Warning } from "../../domain/basics/warning.ts";
import { loadPeople } from "../../store/config.ts";
import { listGroupMembers, readGroup } from "../../store/groups.ts";
import { readMember } from "../../store/members.ts";
import * as onCall from "../../store/on-call.ts";
import { warningsOfPeople } from "../read/find-warnings.ts";

/** Warns of people who are on call but not in the group: their shifts tell nobody. */
const outsiderWarnings = (userIds: readonly string[], memberIds: readonly string[]): Warning[] =>
  [...new Set(userIds)]
    .filter((userId) => !memberIds.includes(userId))
    .map((id) => warn("participant_not_in_group", id));

/**
 * Gives a group its schedule. A rotation that people were added to or removed from continues from its current turn.
 * Throws Refusal `not_found` for an unknown group, `invalid_input` for people who are not members of the workspace.
 */
export const putSchedule = async (
  deps: Pick<Deps, "table" | "now">,
  ws: string,
  groupId: string,
  written: OnCallSchedule,
): Promise<WrittenSchedule> => {
  const people = await loadPeople(deps, ws);
  const group = people.groups.get(groupId);
  if (group === undefined) throw notFound("group");
  const faults = scheduleReferenceFaults(written, people);
  if (faults.length > 0) throw invalid(faults);
  const now = deps.now();
  const previous = people.schedules.get(groupId);
  const schedule = previous === undefined ? written : keepingTurns(previous, written, now);
  const stored = await onCall.putSchedule(deps, ws, groupId, schedule);
  const found = gaps(schedule, people.overrides.get(groupId) ?? [], now);
  const participants = peopleOfSchedule(schedule);
  return {
    ...stored,
    gaps: found.map(({ start, end }) => ({ start: toIso(start), end: toIso(end) })),
    warnings: [
      ...outsiderWarnings(participants, group.memberIds),
      ...serving(schedule, now).never.map((userId) => warn("never_on_duty", userId)),
      ...(found.length === 0 ? [] : [warn("gaps")]),
      ...(await warningsOfPeople(deps, ws, participants)),
    ],
  };
};

/** Throws Refusal `not_found` for an unknown group or one without a schedule. */
export const readOnCall = async (deps: Pick<Deps, "table">, ws: string, groupId: string): Promise<OnCallView> => {
  if ((await readGroup(deps, ws, groupId)) === undefined) throw notFound("group");
  const schedule = await onCall.readSchedule(deps, ws, groupId);
  if (schedule === undefined) throw notFound("on-call schedule");
  return { ...schedule, overrides: await onCall.listOverrides(deps, ws, groupId) };
};

/** Throws Refusal `not_found` for an unknown group, `invalid_input` for a user who is not a member of the workspace. */
export const addOverride = async (
  deps: Pick<Deps, "table" | "now" | "newId">,
  ws: string,
  groupId: string,
  input: OnCallOverrideInput,
): Promise<WrittenOverride> => {
  if ((await readGroup(deps, ws, groupId)) === undefined) throw notFound("group");
  if ((await readMember(deps, ws, input.userId)) === undefined)
    throw invalid([
      { field: "userId", code: "unknown_reference", message: "userId must be the id of a member of this workspace." },
    ]);
  const override = await onCall.addOverride(deps, ws, groupId, input);
  const members = await listGroupMembers(deps, ws, groupId);
  return {
    ...override,
    warnings: [
      ...outsiderWarnings(
        [input.userId],
        members.map(({ userId }) => userId),
      ),
      ...(await warningsOfPeople(deps, ws, [input.userId])),
    ],
  };
};
