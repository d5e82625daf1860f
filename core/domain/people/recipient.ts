import * as v from "valibot";

/** Why this person is among a rule's recipients: which target named the person, and by which shift. */
export const RecipientReason = v.object({
  groupId: v.optional(v.string()),
  /** On-call source: `layer` counts from 0. */
  layer: v.optional(v.number()),
  overrideId: v.optional(v.string()),
});
export type RecipientReason = v.InferOutput<typeof RecipientReason>;

/** A person who is told. */
export const Recipient = v.object({ userId: v.string(), reason: RecipientReason });
export type Recipient = v.InferOutput<typeof Recipient>;

/** Why a target group gave nobody. */
export const unreachedReasons = ["group_deleted", "group_empty", "nobody_on_call"] as const;
export const UnreachedGroup = v.object({ groupId: v.string(), because: v.picklist(unreachedReasons) });
export type UnreachedGroup = v.InferOutput<typeof UnreachedGroup>;
