import * as v from "valibot";
import { isDeepEqual } from "../basics/same.ts";

/*
 * Mentioning the Slack user group reaches the people on call, who are its members. Slack replaces all members in one call, and
 * does not allow an empty user group.
 */

/** Ids never change; names and handles may. */
export const UserGroupId = v.pipe(
  v.string("userGroup must be a string."),
  v.regex(
    /^S[A-Z0-9]{6,20}$/,
    "userGroup must be the id of a user group, such as S0123456789; Slack shows it in the group's menu.",
  ),
);

/** In these cases, a user group keeps its members, because nobody can replace them. */
export const KEPT = ["nobody_on_call", "nobody_linked"] as const;
export const NOBODY_LINKED = "NOBODY_LINKED";
export const NOBODY_ON_CALL = "NOBODY_ON_CALL";

export const Followed = v.object({
  /** In milliseconds. */
  at: v.number(),
  /** The user group's members who are members of the workspace, and their Slack ids (`users`). */
  userIds: v.array(v.string()),
  users: v.array(v.string()),
  /** The people on call without a linked Slack account. */
  unlinkedIds: v.array(v.string()),
  kept: v.nullable(v.picklist(KEPT)),
});
export type Followed = v.InferOutput<typeof Followed>;

export type Wanted = Omit<Followed, "at">;

type Account = { user: string; userId: string };

/** Sorts the members by id. One person may have several Slack accounts. */
export const selectMembers = (onCall: Iterable<string>, accounts: readonly Account[]): Wanted => {
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

/** If `kept` is set, the user group has its previous members. */
export const nextFollowedState = (wanted: Wanted, previous: Followed | undefined, at: number): Followed => {
  if (wanted.kept === null) return { at, ...wanted };
  const { userIds = [], users = [] } = previous ?? {};
  return { at, ...wanted, userIds, users };
};

export const isUserGroupUpToDate = (followed: Followed | undefined, wanted: Wanted): boolean =>
  followed !== undefined &&
  followed.kept === wanted.kept &&
  isDeepEqual(followed.unlinkedIds, wanted.unlinkedIds) &&
  (wanted.kept !== null || isDeepEqual(followed.users, wanted.users));
