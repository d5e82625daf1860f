import * as v from "valibot";
import { UserId } from "../basics/user-id.ts";
import { EMAIL_MAX_CODE_POINTS, NAME_MAX_CODE_POINTS } from "../basics/limits.ts";
import { text } from "../basics/text.ts";
import { reachables } from "./device.ts";

export const MemberInput = v.object({
  userId: UserId,
  name: text("name", NAME_MAX_CODE_POINTS),
  email: v.pipe(
    text("email", EMAIL_MAX_CODE_POINTS),
    v.regex(/^[^\s@]+@[^\s@]+$/, "email must be an email address, such as alice@acme.example."),
  ),
});
export type MemberInput = v.InferOutput<typeof MemberInput>;

export const Member = v.object({ userId: v.string(), name: v.string(), email: v.string(), createdAt: v.string() });
export type Member = v.InferOutput<typeof Member>;

/** A member in the list of all members, which also says whether a push would arrive. */
export const ListedMember = v.object({
  ...Member.entries,
  /** `proven`: a device has confirmed a push within 30 days. `no`: the member has no device. */
  reachable: v.picklist(reachables),
  /** Whether none of the member's devices has been heard of for 30 days; false where there is none. */
  silent: v.boolean(),
});
export type ListedMember = v.InferOutput<typeof ListedMember>;
