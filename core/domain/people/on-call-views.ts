import * as v from "valibot";
import { OnCallSchedule, type OnCallPerson } from "./on-call/index.ts";
import { toIso } from "../basics/time.ts";
import { Warning } from "../basics/warning.ts";

/** An override of a group's schedule, as it is kept and shown. */
export const OnCallOverride = v.object({
  id: v.string(),
  groupId: v.string(),
  userId: v.string(),
  start: v.string(),
  end: v.string(),
  createdAt: v.string(),
});
export type OnCallOverride = v.InferOutput<typeof OnCallOverride>;

/** The schedule of a group, as it is kept. */
export const GroupSchedule = v.object({ ...OnCallSchedule.entries, groupId: v.string(), updatedAt: v.string() });
export type GroupSchedule = v.InferOutput<typeof GroupSchedule>;

/** The schedule with the overrides that there are, those that are over included. */
export const OnCallView = v.object({ ...GroupSchedule.entries, overrides: v.array(OnCallOverride) });
export type OnCallView = v.InferOutput<typeof OnCallView>;

/** A group that has no schedule: overrides count there, too. */
export const noSchedule: OnCallSchedule = { timeZone: "UTC", layers: [] };

const Source = v.variant("kind", [
  v.object({ kind: v.literal("layer"), layer: v.number(), start: v.string(), end: v.string() }),
  v.object({ kind: v.literal("override"), overrideId: v.string(), start: v.string(), end: v.string() }),
]);

/** Who is on call and why. Rules tell only those who are in the group, too. */
const OnCallMember = v.object({
  userId: v.string(),
  name: v.string(),
  email: v.string(),
  inGroup: v.boolean(),
  source: Source,
});
type OnCallMember = v.InferOutput<typeof OnCallMember>;

/** Who is on call at a time, and who next, as far as that can be seen ahead. */
export const OnCallNow = v.object({
  groupId: v.string(),
  at: v.string(),
  onCall: v.array(OnCallMember),
  next: v.nullable(v.object({ at: v.string(), onCall: v.array(OnCallMember) })),
});
export type OnCallNow = v.InferOutput<typeof OnCallNow>;

/** The same of one of several groups. */
export const GroupOnCallNow = v.object({ groupName: v.string(), ...OnCallNow.entries });
export type GroupOnCallNow = v.InferOutput<typeof GroupOnCallNow>;

/** People on call with their names. Who is no member of the workspace any more is left out. */
export const toOnCallMembers = (
  people: readonly OnCallPerson[],
  members: ReadonlyMap<string, { name: string; email: string }>,
  memberIds: readonly string[],
): OnCallMember[] =>
  people.flatMap(({ userId, source }) => {
    const member = members.get(userId);
    if (member === undefined) return [];
    const why =
      source.kind === "layer"
        ? { kind: source.kind, layer: source.layer, start: toIso(source.shiftStart), end: toIso(source.shiftEnd) }
        : { kind: source.kind, overrideId: source.overrideId, start: toIso(source.start), end: toIso(source.end) };
    return [{ userId, name: member.name, email: member.email, inGroup: memberIds.includes(userId), source: why }];
  });

/** A written schedule, with the times in the next weeks when nobody is on call. */
export const WrittenSchedule = v.object({
  ...GroupSchedule.entries,
  gaps: v.array(v.object({ start: v.string(), end: v.string() })),
  warnings: v.array(Warning),
});
export type WrittenSchedule = v.InferOutput<typeof WrittenSchedule>;

export const WrittenOverride = v.object({ ...OnCallOverride.entries, warnings: v.array(Warning) });
export type WrittenOverride = v.InferOutput<typeof WrittenOverride>;
