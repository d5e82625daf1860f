import * as v from "valibot";
import { isDeepEqual } from "../basics/same.ts";

/*
 * A Slack user group whose members are the people on call, so that mentioning it reaches them. Slack replaces all
 * members in one call, and does not allow an empty user group.
 */

/** The id of a Slack user group. Ids never change; names and handles may. */
export const UserGroupId = v.pipe(
  v.string("userGroup must be a string."),
  v.regex(
    /^S[A-Z0-9]{6,20}$/,
    "userGroup must be the id of a user group, such as S0123456789; Slack shows it in the group's menu.",
  ),
);

/** The reasons why a user group keeps its members: nobody can replace them. */
export const KEPT = ["nobody_on_call", "nobody_linked"] as const;
/** The outcome code of an update that was skipped for the reason `nobody_linked`. */
export const NOBODY_LINKED = "NOBODY_LINKED";
export const NOBODY_ON_CALL = "NOBODY_ON_CALL";

/** The state of a user group after this service's last update. */
export const Followed = v.object({
  /** When the user group was updated, in milliseconds. */
  at: v.number(),
  /** The members of the workspace who are in the user group, and their Slack ids (`users`). */
  userIds: v.array(v.string()),
  users: v.array(v.string()),
  /** The people on call who have not linked a Slack account. */
  unlinkedIds: v.array(v.string()),
  kept: v.nullable(v.picklist(KEPT)),
});
export type Followed = v.InferOutput<typeof Followed>;

/** The members that a user group should have. */
export type Wanted = Omit<Followed, "at">;

type Account = { user: string; userId: string };

/** Returns the members that a user group should have, sorted by id. A person may have several Slack accounts in it. */
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

/** Returns the state of a user group after an update. A user group with `kept` set has its previous members. */
export const nextFollowedState = (wanted: Wanted, previous: Followed | undefined, at: number): Followed => {
  if (wanted.kept === null) return { at, ...wanted };
  const { userIds = [], users = [] } = previous ?? {};
  return { at, ...wanted, userIds, users };
};

/** Returns whether a user group is known to have the members that it should have. */
export const isUserGroupUpToDate = (followed: Followed | undefined, wanted: Wanted): boolean =>
  followed !== undefined &&
  followed.kept === wanted.kept &&
  isDeepEqual(followed.unlinkedIds, wanted.unlinkedIds) &&
  (wanted.kept !== null || isDeepEqual(followed.users, wanted.users));
