import * as v from "valibot";
import { isDeepEqual } from "../basics/equality.ts";

/* A Slack user group's members are the people on call. Slack replaces all members at once, and allows no empty user group. */

/** The id of a Slack user group, which never changes, unlike its name and handle. */
export const UserGroupId = v.pipe(
  v.string("userGroup must be a string."),
  v.regex(
    /^S[A-Z0-9]{6,20}$/,
    "userGroup must be the id of a user group, such as S0123456789; Slack shows it in the group's menu.",
  ),
);

/** Why a user group keeps its members: there is nobody to replace them. */
export const KEPT = ["nobody_on_call", "nobody_linked"] as const;
export const NOBODY_LINKED = "NOBODY_LINKED";
export const NOBODY_ON_CALL = "NOBODY_ON_CALL";

export const UserGroupState = v.object({
  /** When the user group was last updated, in milliseconds. */
  at: v.number(),
  /** Members of the user group who are members of the workspace, and their Slack ids (`users`). */
  userIds: v.array(v.string()),
  users: v.array(v.string()),
  /** People on call without a linked Slack account. */
  unlinkedIds: v.array(v.string()),
  kept: v.nullable(v.picklist(KEPT)),
});
export type UserGroupState = v.InferOutput<typeof UserGroupState>;

export type WantedUsers = Omit<UserGroupState, "at">;

type Account = { user: string; userId: string };

/** Returns who belongs in the Slack user group, sorted by id. A person may have several Slack accounts. */
export const selectMembers = (onCall: Iterable<string>, accounts: readonly Account[]): WantedUsers => {
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

/** Returns the user group's state after an update at `at` (ms). If `wanted.kept` is set, the previous members stay. */
export const toNextState = (wanted: WantedUsers, previous: UserGroupState | undefined, at: number): UserGroupState => {
  if (wanted.kept === null) return { at, ...wanted };
  const { userIds = [], users = [] } = previous ?? {};
  return { at, ...wanted, userIds, users };
};

export const isUserGroupUpToDate = (state: UserGroupState | undefined, wanted: WantedUsers): boolean =>
  state !== undefined &&
  state.kept === wanted.kept &&
  isDeepEqual(state.unlinkedIds, wanted.unlinkedIds) &&
  (wanted.kept !== null || isDeepEqual(state.users, wanted.users));
