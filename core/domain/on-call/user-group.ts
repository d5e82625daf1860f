import * as v from "valibot";
import { isSame } from "../basics/same.ts";

/*
 * A Slack user group that follows who is on call: mentioning it in Slack reaches them. Slack replaces all members by
 * one call, and a user group is never empty.
 */

/** The id of a user group in Slack: names and handles change, and ids do not. */
export const UserGroupId = v.pipe(
  v.string("userGroup must be a string."),
  v.regex(
    /^S[A-Z0-9]{6,20}$/,
    "userGroup must be the id of a user group, such as S0123456789; Slack shows it in the group's menu.",
  ),
);

/** Why a user group keeps its members: nobody can replace them. */
export const KEPT = ["nobody_on_call", "nobody_linked"] as const;
/** The same reason, as the code of a try's outcome. */
export const NOBODY_LINKED = "NOBODY_LINKED";
export const NOBODY_ON_CALL = "NOBODY_ON_CALL";

/** The state of a user group, as of this service's last update. */
export const Followed = v.object({
  /** When that was, in milliseconds. */
  at: v.number(),
  /** The members of the workspace who are in it, with their ids in Slack. */
  userIds: v.array(v.string()),
  users: v.array(v.string()),
  /** The people on call who are not linked to Slack. */
  unlinkedIds: v.array(v.string()),
  kept: v.nullable(v.picklist(KEPT)),
});
export type Followed = v.InferOutput<typeof Followed>;

/** The wanted members of a user group. */
export type Wanted = Omit<Followed, "at">;

type Account = { user: string; userId: string };

/** Each person once, in the order of the ids. A person with two Slack accounts is in the group with both. */
export const wantedOf = (onCall: Iterable<string>, accounts: readonly Account[]): Wanted => {
  const people = [...new Set(onCall)].sort();
  const own = accounts.filter(({ userId }) => people.includes(userId));
  const isLinked = (id: string): boolean => own.some(({ userId }) => userId === id);
  const unlinkedIds = people.filter((id) => !isLinked(id));
  const kept = unlinkedIds.length > 0 ? "nobody_linked" : "nobody_on_call";
  return {
    userIds: people.filter(isLinked),
    users: [...new Set(own.map(({ user }) => user))].sort(),
    unlinkedIds,
    kept: own.length > 0 ? null : kept,
  };
};

/** A user group that keeps its people is unchanged. */
export const followedBy = (wanted: Wanted, before: Followed | undefined, at: number): Followed => {
  if (wanted.kept === null) return { at, ...wanted };
  const { userIds = [], users = [] } = before ?? {};
  return { at, ...wanted, userIds, users };
};

/** Whether a user group is known to have its wanted members. */
export const isUpToDate = (followed: Followed | undefined, wanted: Wanted): boolean =>
  followed !== undefined &&
  followed.kept === wanted.kept &&
  isSame(followed.unlinkedIds, wanted.unlinkedIds) &&
  (wanted.kept !== null || isSame(followed.users, wanted.users));
