import * as v from "valibot";

/** The target group (absent if the rule names the user), and the shift. */
export const RecipientReason = v.object({
  groupId: v.optional(v.string()),
  /** From 0; an override has `overrideId` instead. */
  layer: v.optional(v.number()),
  overrideId: v.optional(v.string()),
});
export type RecipientReason = v.InferOutput<typeof RecipientReason>;

/** Why a notification is silent: too many pages, or an acknowledgement of the group at night. */
export const quietReasons = ["too_many", "acknowledged"] as const;
export const Quiet = v.picklist(quietReasons);
export type Quiet = v.InferOutput<typeof Quiet>;

/** If `quiet` is set, the notification is silent. */
export const Recipient = v.object({ userId: v.string(), reason: RecipientReason, quiet: v.optional(Quiet) });
export type Recipient = v.InferOutput<typeof Recipient>;

export const unreachedReasons = ["group_deleted", "group_empty", "nobody_on_call"] as const;
export const UnreachedGroup = v.object({ groupId: v.string(), because: v.picklist(unreachedReasons) });
export type UnreachedGroup = v.InferOutput<typeof UnreachedGroup>;
