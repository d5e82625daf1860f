import * as v from "valibot";

/** Why a person is among a rule's recipients: the target group (absent if the rule names the user), and the on-call shift. */
export const RecipientReason = v.object({
  groupId: v.optional(v.string()),
  /** The layer that put the person on call, from 0; for an override, `overrideId` is set instead. */
  layer: v.optional(v.number()),
  overrideId: v.optional(v.string()),
});
export type RecipientReason = v.InferOutput<typeof RecipientReason>;

/** Why a push is silent: the person was paged too often, or acknowledged the same group of events at night. */
export const quietReasons = ["too_many", "acknowledged"] as const;
export const Quiet = v.picklist(quietReasons);
export type Quiet = v.InferOutput<typeof Quiet>;

/** A recipient of a rule; notified silently if `quiet` is set. */
export const Recipient = v.object({ userId: v.string(), reason: RecipientReason, quiet: v.optional(Quiet) });
export type Recipient = v.InferOutput<typeof Recipient>;

/** Why a target group has no recipients. */
export const unreachedReasons = ["group_deleted", "group_empty", "nobody_on_call"] as const;
export const UnreachedGroup = v.object({ groupId: v.string(), because: v.picklist(unreachedReasons) });
export type UnreachedGroup = v.InferOutput<typeof UnreachedGroup>;
