import * as v from "valibot";

/** The target group through which the person is notified (absent if the rule names the user), and the person's shift. */
export const RecipientReason = v.object({
  groupId: v.optional(v.string()),
  /** The layer's index, from 0; a shift by an override has `overrideId` instead. */
  layer: v.optional(v.number()),
  overrideId: v.optional(v.string()),
});
export type RecipientReason = v.InferOutput<typeof RecipientReason>;

/** Why a notification is silent: the person got too many pages, or acknowledged the group of events at night. */
export const quietReasons = ["too_many", "acknowledged"] as const;
export const Quiet = v.picklist(quietReasons);
export type Quiet = v.InferOutput<typeof Quiet>;

/** If `quiet` is set, the notification is silent. */
export const Recipient = v.object({ userId: v.string(), reason: RecipientReason, quiet: v.optional(Quiet) });
export type Recipient = v.InferOutput<typeof Recipient>;

export const unreachedReasons = ["group_deleted", "group_empty", "nobody_on_call"] as const;
export const UnreachedGroup = v.object({ groupId: v.string(), because: v.picklist(unreachedReasons) });
export type UnreachedGroup = v.InferOutput<typeof UnreachedGroup>;
