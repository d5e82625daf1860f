import * as v from "valibot";
import { NAME_MAX_CODE_POINTS } from "../basics/limits.ts";
import { UserId } from "../basics/user-id.ts";
import { text } from "../basics/text.ts";

export const GroupInput = v.object({ name: text("name", NAME_MAX_CODE_POINTS) });
export type GroupInput = v.InferOutput<typeof GroupInput>;

export const GroupPatch = v.strictObject({ name: v.exactOptional(GroupInput.entries.name) });
export type GroupPatch = v.InferOutput<typeof GroupPatch>;

export const Group = v.object({ id: v.string(), name: v.string(), workspaceId: v.string(), createdAt: v.string() });
export type Group = v.InferOutput<typeof Group>;

export const GroupMemberInput = v.object({ userId: UserId });
export type GroupMemberInput = v.InferOutput<typeof GroupMemberInput>;

export const GroupMember = v.object({ groupId: v.string(), userId: v.string(), createdAt: v.string() });
export type GroupMember = v.InferOutput<typeof GroupMember>;

/** A member of a group as the group's list shows it. */
export const GroupMemberView = v.object({ ...GroupMember.entries, name: v.string(), email: v.string() });
export type GroupMemberView = v.InferOutput<typeof GroupMemberView>;
