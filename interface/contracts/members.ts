import { findMisspelledFields } from "../../core/domain/basics/faults.ts";
import { MemberInput, RoleInput } from "../../core/domain/people/member.ts";
import { after, batch, get, gone, nobodyLeft, type Operations, put, query, remove, update } from "../contract.ts";

export const reads = {
  listMembers: {
    method: "GET",
    path: "/v1/workspaces/{workspaceId}/members",
    role: "viewer",
    summary: "List members",
    query: [after],
    answers: {
      200: {
        shape: ["ListedMember"],
        description: "The members in the order in which they joined. Each entry says whether a push would arrive.",
      },
    },
    access: { table: [get, query] },
  },
  getMember: {
    method: "GET",
    path: "/v1/workspaces/{workspaceId}/members/{userId}",
    role: "viewer",
    summary: "Get a member, with the items that they created or that name them",
    description:
      "Shows what to revoke or hand off when somebody leaves: keys, calendars of groups, heartbeats and webhooks that they " +
      "created and that still work, and schedules and policies that name them. Contacts are counted, not shown.",
    answers: { 200: { shape: "MemberDetail" } },
    access: { table: [get, batch, query] },
  },
} as const satisfies Operations;

export const writes = {
  addMember: {
    method: "POST",
    path: "/v1/workspaces/{workspaceId}/members",
    role: "owner",
    summary: "Add a member",
    description:
      "A member gets the given name and email, and the role if given. A person who is added " +
      "without a role is a manager or, in a workspace that has never set a role, an owner.",
    body: MemberInput,
    // If a misspelled `role` were ignored, a person who was meant to be a viewer would become a manager.
    look: findMisspelledFields(["role"]),
    answers: {
      201: { shape: "Member", description: "Added." },
      200: { shape: "Member", description: "The user was a member already, and now has the given name and email." },
    },
    refuses: ["limit_reached", "last_owner"],
    access: { table: [get, query, put, update, remove] },
  },
  updateMember: {
    method: "PATCH",
    path: "/v1/workspaces/{workspaceId}/members/{userId}",
    role: "owner",
    summary: "Give a member a role",
    description:
      "A viewer reads everything and acknowledges events. A responder also resolves, snoozes and escalates events, notifies more people of them, and " +
      "gives away and takes over shifts of their own. A manager also changes rules, groups, schedules, policies, silences, heartbeats and keys. An owner " +
      "also changes members, roles and the workspace's settings. A role never decides whom events notify.",
    body: RoleInput,
    answers: { 200: { shape: "Member", description: "The changed member." } },
    refuses: ["last_owner"],
    access: { table: [get, query, put, update, remove] },
  },
  removeMember: {
    method: "DELETE",
    path: "/v1/workspaces/{workspaceId}/members/{userId}",
    role: "owner",
    summary: "Remove a member",
    description: [
      "Also removes the member from groups and on-call schedules, and deletes their devices in this workspace. Members of any role may remove themselves.",
      "The request is refused while a step of an escalation policy names the member, unless `force=true`: then the step no longer notifies the member.",
      nobodyLeft,
      "`X-Warning` also names the member's valid API keys (`keys_left; keys=...`), and groups with a calendar URL that the member created (`feeds_left; groups=...`).",
    ],
    query: [
      {
        name: "force",
        description: "Removes the member even if policies use them.",
        schema: { type: "boolean", default: false },
      },
      {
        name: "revoke",
        description:
          "`keys` also deletes the API keys that the member created. `feeds` also closes group calendars whose URL the member created. `keys,feeds` does both. Only managers and owners may use this parameter.",
        schema: { type: "string", enum: ["keys", "feeds", "keys,feeds"] },
      },
    ],
    answers: gone,
    refuses: ["last_member", "last_owner", "used_by_policies"],
    ofOneself: "userId",
    access: { table: [get, batch, query, put, update, remove], sendsTo: ["events"] },
  },
} as const satisfies Operations;
