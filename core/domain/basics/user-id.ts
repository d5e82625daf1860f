import * as v from "valibot";
import { isId } from "./ids.ts";

/** `usr_` and the user pool's `sub` claim, without dashes. */
export const UserId = v.pipe(
  v.string("userId must be a string."),
  v.check((id) => isId("usr", id), "userId must be a user's id, such as usr_0123456789abcdef0123456789abcdef."),
);
