import * as v from "valibot";
import { Authored, Authors } from "../basics/authored.ts";
import { blocks, OnCallSchedule, type OnCallPerson } from "./index.ts";
import { StoredHolidays } from "./schedule.ts";
import { toIso } from "../basics/time.ts";
import { Version } from "../basics/version.ts";
import { Warning } from "../basics/warning.ts";

export const OnCallOverride = v.object({
  id: v.string(),
  groupId: v.string(),
  userId: v.string(),
  start: v.string(),
  end: v.string(),
  createdAt: v.string(),
  createdBy: Authored.entries.createdBy,
  /** The cover to which the override belongs. `insteadOf`: the person whose shift is covered. */
  coverId: v.exactOptional(v.string()),
  insteadOf: v.exactOptional(v.string()),
});
export type OnCallOverride = v.InferOutput<typeof OnCallOverride>;

/** `createdBy`: null if unknown. */
export const OverrideView = v.object({
  ...OnCallOverride.entries,
  createdBy: Authors.entries.createdBy,
  /** Whether events would notify the override's person; if not, the layers decide who is on call. */
  covers: v.boolean(),
});
export type OverrideView = v.InferOutput<typeof OverrideView>;

export const GroupSchedule = v.object({
  ...OnCallSchedule.entries,
  holidays: StoredHolidays,
  groupId: v.string(),
  version: Version,
  updatedAt: v.string(),
  ...Authored.entries,
});
export type GroupSchedule = v.InferOutput<typeof GroupSchedule>;

/** A group's schedule and all its overrides, past ones too. */
export const OnCallView = v.object({ ...GroupSchedule.entries, overrides: v.array(OverrideView) });
export type OnCallView = v.InferOutput<typeof OnCallView>;

/** The schedule of a group without a stored schedule. The overrides of the group still apply. */
export const noSchedule: OnCallSchedule = { timeZone: "UTC", layers: [] };

const Source = v.variant("kind", [
  v.object({ kind: v.literal("layer"), layer: v.number(), start: v.string(), end: v.string() }),
  v.object({ kind: v.literal("override"), overrideId: v.string(), start: v.string(), end: v.string() }),
]);

const OnCallMember = v.object({
  userId: v.string(),
  name: v.string(),
  email: v.string(),
  inGroup: v.boolean(),
  notified: v.boolean(),
  /** Why events would not notify the person. `unreachable`: no device accepts a push. */
  notNotified: v.nullable(v.picklist(blocks)),
  source: Source,
  /** Whether the person confirmed the reachability check; null without a check or while the check runs. */
  proven: v.nullable(v.boolean()),
});
type OnCallMember = v.InferOutput<typeof OnCallMember>;

/** Who is on call now, and who next. `next`: null if there is no known change. */
export const OnCallNow = v.object({
  groupId: v.string(),
  at: v.string(),
  onCall: v.array(OnCallMember),
  next: v.nullable(v.object({ at: v.string(), onCall: v.array(OnCallMember) })),
});
export type OnCallNow = v.InferOutput<typeof OnCallNow>;

/** `hasSchedule`: whether the group has a schedule or overrides. */
export const GroupOnCallNow = v.object({ groupName: v.string(), hasSchedule: v.boolean(), ...OnCallNow.entries });
export type GroupOnCallNow = v.InferOutput<typeof GroupOnCallNow>;

/** Returns the people with their names and why each is on call. Leaves out former members. */
export const toOnCallMembers = (
  people: readonly OnCallPerson[],
  members: ReadonlyMap<string, { name: string; email: string }>,
  isProven: (userId: string) => boolean | null,
): OnCallMember[] =>
  people.flatMap(({ userId, source, blocked }) => {
    const member = members.get(userId);
    if (member === undefined) return [];
    const why =
      source.kind === "layer"
        ? { kind: source.kind, layer: source.layer, start: toIso(source.shiftStart), end: toIso(source.shiftEnd) }
        : { kind: source.kind, overrideId: source.overrideId, start: toIso(source.start), end: toIso(source.end) };
    const { name, email } = member;
    const inGroup = blocked !== "not_in_group";
    const notified = blocked === undefined;
    return [
      { userId, name, email, inGroup, notified, notNotified: blocked ?? null, source: why, proven: isProven(userId) },
    ];
  });

export const WrittenSchedule = v.object({
  ...GroupSchedule.entries,
  gaps: v.array(v.object({ start: v.string(), end: v.string() })),
  warnings: v.array(Warning),
});
export type WrittenSchedule = v.InferOutput<typeof WrittenSchedule>;

export const WrittenOverride = v.object({ ...OverrideView.entries, warnings: v.array(Warning) });
export type WrittenOverride = v.InferOutput<typeof WrittenOverride>;
