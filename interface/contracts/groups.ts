import { GroupInput, GroupMemberInput, GroupPatch } from "../../core/domain/people/group.ts";
import { after, batch, get, gone, nobodyLeft, type Operations, put, query, remove, update } from "../contract.ts";

export const reads = {
  listGroups: {
    method: "GET",
    path: "/v1/workspaces/{workspaceId}/groups",
    role: "viewer",
    summary: "List groups",
    query: [after],
    answers: { 200: { shape: ["Group"], description: "The oldest first." } },
    access: { table: [get, query] },
  },
  getGroup: {
    method: "GET",
    path: "/v1/workspaces/{workspaceId}/groups/{groupId}",
    role: "viewer",
    summary: "Get a group",
    answers: { 200: { shape: "Group" } },
    versioned: true,
    access: { table: [get] },
  },
  listGroupMembers: {
    method: "GET",
    path: "/v1/workspaces/{workspaceId}/groups/{groupId}/members",
    role: "viewer",
    summary: "List the members of a group",
    query: [after],
    answers: { 200: { shape: ["GroupMemberWithName"], description: "Members in the order in which they joined." } },
    access: { table: [get, batch, query] },
  },
} as const satisfies Operations;

export const writes = {
  createGroup: {
    method: "POST",
    path: "/v1/workspaces/{workspaceId}/groups",
    role: "manager",
    summary: "Create a group",
    body: GroupInput,
    answers: { 201: { shape: "Group" } },
    versioned: true,
    access: { table: [get, query, put, update] },
  },
  updateGroup: {
    method: "PATCH",
    path: "/v1/workspaces/{workspaceId}/groups/{groupId}",
    role: "manager",
    summary: "Rename a group",
    change: GroupPatch,
    answers: { 200: { shape: "Group", description: "The changed group." } },
    versioned: true,
    access: { table: [get, put, update] },
  },
  deleteGroup: {
    method: "DELETE",
    path: "/v1/workspaces/{workspaceId}/groups/{groupId}",
    role: "manager",
    summary: "Delete a group",
    description:
      "Also deletes the group's membership, on-call schedule and overrides. Rules that name the group stay, but no longer notify its members. The request is refused while an escalation step names the group, unless `force=true`: then the step no longer notifies the group's members.",
    query: [
      {
        name: "force",
        description: "Deletes the group even if policies use it.",
        schema: { type: "boolean", default: false },
      },
    ],
    answers: gone,
    refuses: ["used_by_policies"],
    versioned: true,
    access: { table: [get, query, put, update, remove] },
  },
  addGroupMember: {
    method: "POST",
    path: "/v1/workspaces/{workspaceId}/groups/{groupId}/members",
    role: "manager",
    summary: "Add a member to a group",
    body: GroupMemberInput,
    answers: {
      201: { shape: "GroupMember", description: "Added." },
      200: { shape: "GroupMember", description: "The user was in the group already." },
    },
    access: { table: [get, query, put, update] },
  },
  removeGroupMember: {
    method: "DELETE",
    path: "/v1/workspaces/{workspaceId}/groups/{groupId}/members/{userId}",
    role: "manager",
    summary: "Remove a member from a group",
    description: [
      "Also removes the member from the group's on-call schedule. The turns of other members do not change.",
      nobodyLeft,
    ],
    answers: gone,
    access: { table: [get, batch, query, put, update, remove], sendsTo: ["events"] },
  },
} as const satisfies Operations;
