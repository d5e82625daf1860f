import * as v from "valibot";
import { isSame } from "../basics/same.ts";

/*
 * A user group of Slack that follows who is on call: whoever mentions it there reaches them. Slack replaces all of its
 * people by one call, and lets it never be empty.
 */

/** What Slack calls a user group by: names and handles change, and ids do not. */
export const UserGroupId = v.pipe(
  v.string("userGroup must be a string."),
  v.regex(
    /^S[A-Z0-9]{6,20}$/,
    "userGroup must be the id of a user group, such as S0123456789; Slack shows it in the group's menu.",
  ),
);

/** Why a user group keeps those who were in it: there is nobody to put in their place. */
export const KEPT = ["nobody_on_call", "nobody_linked"] as const;
/** The same, as the code of what came of a try. */
export const NOBODY_LINKED = "NOBODY_LINKED";
export const NOBODY_ON_CALL = "NOBODY_ON_CALL";

/** How a user group stands, as far as this service has brought it up to date. */
export const Followed = v.object({
  /** When that was, in milliseconds. */
  at: v.number(),
  /** The members of the workspace who are in it, and what Slack calls them. */
  userIds: v.array(v.string()),
  users: v.array(v.string()),
  /** Those who are on call and have not said who they are in Slack. */
  unlinkedIds: v.array(v.string()),
  kept: v.nullable(v.picklist(KEPT)),
});
export type Followed = v.InferOutput<typeof Followed>;

/** What a user group should be like. */
export type Wanted = Omit<Followed, "at">;

type Account = { user: string; userId: string };

/** Each person once, in the order of the ids. Somebody who has two accounts in Slack is in the group with both. */
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

/** A user group that has its people kept is as it was before. */
export const followedBy = (wanted: Wanted, before: Followed | undefined, at: number): Followed => {
  if (wanted.kept === null) return { at, ...wanted };
  const { userIds = [], users = [] } = before ?? {};
  return { at, ...wanted, userIds, users };
};

/** Whether a user group is known to be as it should be. */
export const isUpToDate = (followed: Followed | undefined, wanted: Wanted): boolean =>
  followed !== undefined &&
  followed.kept === wanted.kept &&
  isSame(followed.unlinkedIds, wanted.unlinkedIds) &&
  (wanted.kept !== null || isSame(followed.users, wanted.users));
