import * as v from "valibot";
import { UserId } from "../basics/user-id.ts";
import { EMAIL_MAX_CODE_POINTS, NAME_MAX_CODE_POINTS } from "../basics/limits.ts";
import { nameSchema, textSchema } from "../basics/text.ts";
import { reachables } from "../device/device.ts";
import { DEFAULT_ROLE, roles, type Role } from "./role.ts";

const role = v.picklist(roles, `role must be one of ${roles.join(", ")}.`);

export const RoleInput = v.strictObject({ role });
export type RoleInput = v.InferOutput<typeof RoleInput>;

export const MemberInput = v.object({
  userId: UserId,
  name: nameSchema("name", NAME_MAX_CODE_POINTS),
  email: v.pipe(
    textSchema("email", EMAIL_MAX_CODE_POINTS),
    v.regex(/^[^\s@]+@[^\s@]+$/, "email must be an email address, such as alice@acme.example."),
  ),
  role: v.exactOptional(role),
});
export type MemberInput = v.InferOutput<typeof MemberInput>;

const entries = { userId: v.string(), name: v.string(), email: v.string(), createdAt: v.string() };

/** A stored member. `addedBy`: absent for the creator of the workspace. `role`: absent for owners, and if no role was set. */
export type Member = v.InferOutput<v.ObjectSchema<typeof entries, undefined>> & {
  addedBy?: string | undefined;
  role?: Role | undefined;
};

/** The ids of the owners; undefined if no role was ever set, so that everybody is an owner. */
export type Owners = ReadonlySet<string> | undefined;

/** Returns the member's role; `owner` for everybody if `owners` is undefined. */
export const toRole = ({ userId, role = DEFAULT_ROLE }: Pick<Member, "userId" | "role">, owners: Owners): Role =>
  owners === undefined || owners.has(userId) ? "owner" : role;

/** The person who added the member; without a name if that person has left. */
const AddedBy = v.nullable(v.object({ id: v.string(), name: v.string() }));
export type AddedBy = v.InferOutput<typeof AddedBy>;

/** `addedBy`: null for the creator of the workspace and for members added by an operator. */
export const MemberView = v.object({ ...entries, addedBy: AddedBy, role: v.picklist(roles) });
export type MemberView = v.InferOutput<typeof MemberView>;

/** Returns who added the member, with an empty name for a former member; null if the member has no `addedBy`. */
export const toAddedBy = (
  { addedBy }: Pick<Member, "addedBy">,
  nameOf: (userId: string) => string | undefined,
): AddedBy => (addedBy === undefined ? null : { id: addedBy, name: nameOf(addedBy) ?? "" });

export const toMemberView = (
  member: Member,
  owners: Owners,
  nameOf: (userId: string) => string | undefined,
): MemberView => ({ ...member, addedBy: toAddedBy(member, nameOf), role: toRole(member, owners) });

export const ListedMember = v.object({
  ...MemberView.entries,
  /** `proven`: a device confirmed a push in the last 30 days. `no`: the member has no device. */
  reachable: v.picklist(reachables),
  /** Whether none of the member's devices was seen for 30 days; false for a member without devices. */
  silent: v.boolean(),
});
export type ListedMember = v.InferOutput<typeof ListedMember>;
