import type { Deps } from "../deps.ts";
import { compileOnCall } from "../domain/on-call/index.ts";
import { noSchedule, type OnCallNow } from "../domain/on-call-views.ts";
import { notFound } from "../domain/refusal.ts";
import { toIso } from "../domain/time.ts";
import { loadPeople } from "../store/config.ts";

const isoOrNull = (ms: number): string | null => (Number.isFinite(ms) ? toIso(ms) : null);

/**
 * Those of a group who are on call at an instant (milliseconds), as a rule with `onCallOnly` would tell them: who left
 * the group is not among them. Throws Refusal `not_found` for an unknown group.
 */
export const whoIsOnCall = async (
  deps: Pick<Deps, "table">,
  ws: string,
  groupId: string,
  at: number,
): Promise<OnCallNow> => {
  const people = await loadPeople(deps, ws);
  const group = people.groups.get(groupId);
  if (group === undefined) throw notFound("group");
  const ask = compileOnCall(people.schedules.get(groupId) ?? noSchedule, people.overrides.get(groupId) ?? []);
  const state = ask(at);
  return {
    groupId,
    at: toIso(at),
    until: isoOrNull(state.until),
    onCall: state.people.flatMap(({ userId, source }) => {
      const member = people.members.get(userId);
      if (member === undefined || !group.memberIds.includes(userId)) return [];
      const why =
        source.kind === "layer"
          ? { kind: source.kind, layer: source.layer, start: toIso(source.shiftStart), end: toIso(source.shiftEnd) }
          : { kind: source.kind, overrideId: source.overrideId, start: toIso(source.start), end: toIso(source.end) };
      return [{ userId, name: member.name, email: member.email, source: why }];
    }),
  };
};
