import * as v from "valibot";
import type { TableDeps } from "../../deps.ts";
import type { Somebody } from "../../domain/basics/authored.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import { toRole, type Member, type Owners } from "../../domain/people/member.ts";
import { DEFAULT_ROLE, includesRole, roles, type Role } from "../../domain/people/role.ts";
import {
  memberKey,
  memberPrefix,
  memberSetKey,
  membershipPrefix,
  peoplePk,
  userPk,
  parseWorkspaceId,
  parseWorkspaceOfMembership,
} from "../keys.ts";
import { batchGetItems, getItem, queryItems } from "../table.ts";

export const MemberItem = v.pipe(
  v.object({
    userId: v.string(),
    name: v.string(),
    email: v.string(),
    createdAt: v.string(),
    addedBy: v.optional(v.string()),
    role: v.optional(v.picklist(roles)),
  }),
  v.transform((item): Member => item),
);

/** One item has all member ids, so one condition protects the last member and owner. `owners`: undefined until roles are set. */
export const MemberSet = v.object({
  pk: v.optional(v.string()),
  users: v.optional(v.set(v.string())),
  owners: v.optional(v.set(v.string())),
});

/** Reads a member by a strongly consistent read, so that a removed member loses access at once. */
export const readMember = (deps: TableDeps, ws: WorkspaceId, userId: string): Promise<Member | undefined> =>
  getItem(deps, memberKey(ws, userId), MemberItem);

/** Returns a function that adds a member's current name to the id (null: the operator). */
export const createMemberNamer = async (
  deps: TableDeps,
  ws: WorkspaceId,
  ids: readonly (string | null | undefined)[],
): Promise<(id: string | null | undefined) => Somebody | null> => {
  const known = [...new Set(ids)].filter((id) => typeof id === "string");
  const names = new Map(
    await Promise.all(known.map(async (id) => [id, (await readMember(deps, ws, id))?.name ?? ""] as const)),
  );
  return (id) => (typeof id === "string" ? { id, name: names.get(id) ?? "" } : null);
};

export const readOwners = async (deps: TableDeps, ws: WorkspaceId): Promise<Owners> =>
  (await getItem(deps, memberSetKey(ws), MemberSet))?.owners;

export const listOwners = async (deps: TableDeps, ids: readonly WorkspaceId[]): Promise<Map<string, Owners>> => {
  const sets = await batchGetItems(deps, ids.map(memberSetKey), MemberSet);
  return new Map(sets.map(({ pk = "", owners }) => [parseWorkspaceId({ pk }), owners]));
};

/** Returns whether a member has a role. Reads the owners only if necessary. */
export const hasRole = async (
  deps: TableDeps,
  ws: WorkspaceId,
  member: Pick<Member, "userId" | "role">,
  needed: Role,
): Promise<boolean> =>
  includesRole(member.role ?? DEFAULT_ROLE, needed) || includesRole(toRole(member, await readOwners(deps, ws)), needed);

/** Returns whether the author of an invitation may still invite people. The operator (null) may always invite people. */
export const mayInvite = async (deps: TableDeps, ws: WorkspaceId, userId: string | null): Promise<boolean> => {
  if (userId === null) return true;
  const member = await readMember(deps, ws, userId);
  return member !== undefined && (await hasRole(deps, ws, member, "owner"));
};

/** Lists all members in the order in which they joined. */
export const listMembers = async (deps: TableDeps, ws: WorkspaceId): Promise<Member[]> => {
  const members = await queryItems(deps, { pk: peoplePk(ws), prefix: memberPrefix }, MemberItem);
  return members.sort((a, b) => a.createdAt.localeCompare(b.createdAt) || a.userId.localeCompare(b.userId));
};

const Reverse = v.object({ sk: v.string() });
/** Lists the workspaces that a user may belong to, including incomplete memberships. */
export const listMemberships = async (deps: TableDeps, userId: string): Promise<WorkspaceId[]> => {
  const items = await queryItems(deps, { pk: userPk(userId), prefix: membershipPrefix }, Reverse);
  return items.map(parseWorkspaceOfMembership);
};
