import * as v from "valibot";
import { OnCallSchedule } from "./on-call/index.ts";

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

/** Who is on call, why, and until when that cannot change (null: nothing in sight changes it). */
export const OnCallNow = v.object({
  groupId: v.string(),
  at: v.string(),
  until: v.nullable(v.string()),
  onCall: v.array(
    v.object({
      userId: v.string(),
      name: v.string(),
      email: v.string(),
      source: v.variant("kind", [
        v.object({ kind: v.literal("layer"), layer: v.number(), start: v.string(), end: v.string() }),
        v.object({ kind: v.literal("override"), overrideId: v.string(), start: v.string(), end: v.string() }),
      ]),
    }),
  ),
});
export type OnCallNow = v.InferOutput<typeof OnCallNow>;
