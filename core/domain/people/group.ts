import * as v from "valibot";
import { WorkspaceId } from "../basics/ids.ts";
import { NAME_MAX_CODE_POINTS } from "../basics/limits.ts";
import { UserId } from "../basics/user-id.ts";
import { nameSchema } from "../basics/text.ts";
import { Version } from "../basics/version.ts";

export const GroupInput = v.object({ name: nameSchema("name", NAME_MAX_CODE_POINTS) });
export type GroupInput = v.InferOutput<typeof GroupInput>;

export const GroupPatch = v.strictObject({ name: v.exactOptional(GroupInput.entries.name) });
export type GroupPatch = v.InferOutput<typeof GroupPatch>;

export const Group = v.object({
  id: v.string(),
  name: v.string(),
  workspaceId: WorkspaceId,
  version: Version,
  createdAt: v.string(),
});
export type Group = v.InferOutput<typeof Group>;

export const GroupView = v.omit(Group, ["version"]);
export type GroupView = v.InferOutput<typeof GroupView>;

export const toGroupView = ({ id, name, workspaceId, createdAt }: Group): GroupView => ({
  id,
  name,
  workspaceId,
  createdAt,
});

export const GroupMemberInput = v.object({ userId: UserId });
export type GroupMemberInput = v.InferOutput<typeof GroupMemberInput>;

export const GroupMember = v.object({ groupId: v.string(), userId: v.string(), createdAt: v.string() });
export type GroupMember = v.InferOutput<typeof GroupMember>;
/** A group and a user, as an object, because two swapped strings would compile. */
export type MemberOfGroup = Pick<GroupMember, "groupId" | "userId">;

export const GroupMemberView = v.object({ ...GroupMember.entries, name: v.string(), email: v.string() });
export type GroupMemberView = v.InferOutput<typeof GroupMemberView>;
