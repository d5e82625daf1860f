import * as v from "valibot";
import { isId } from "../basics/ids.ts";
import { EMAIL_MAX_CODE_POINTS, NAME_MAX_CODE_POINTS } from "../basics/limits.ts";
import { text } from "../basics/text.ts";

/** The id of a user in a body: `usr_` and the sign-in pool's `sub` without dashes. */
export const UserId = v.pipe(
  v.string("userId must be a string."),
  v.check((id) => isId("usr", id), "userId must be a user's id, such as usr_0123456789abcdef0123456789abcdef."),
);

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
