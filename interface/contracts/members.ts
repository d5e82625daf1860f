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
        description: "Those who joined first in front, each with whether a push would arrive.",
      },
    },
    access: { table: [get, query] },
  },
  getMember: {
    method: "GET",
    path: "/v1/workspaces/{workspaceId}/members/{userId}",
    role: "viewer",
    summary: "Get a member, with what they have made and what names them",
    description:
      "What there is to take away or to hand over when somebody leaves: keys, calendars of groups, heartbeats and webhooks that they " +
      "have made and that work on, and schedules and policies that name them. Contacts are counted, not shown.",
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
      "Somebody who is a member already gets the given name and email, and the role where one is given. Whoever is added " +
      "without a role is a manager; in a workspace from before there were roles, an owner as everybody there, until somebody's role is set.",
    body: MemberInput,
    answers: {
      201: { shape: "Member", description: "Added." },
      200: { shape: "Member", description: "The user was a member already; name and email are as given." },
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
      "A viewer reads everything and acknowledges. A responder also resolves, snoozes, escalates, tells more people, and gives away and takes over " +
      "shifts of their own. A manager also changes rules, groups, schedules, policies, silences, heartbeats and keys. An owner " +
      "also changes members, roles and the workspace's settings. A role never decides whom events tell.",
    body: RoleInput,
    answers: { 200: { shape: "Member", description: "The member as they are afterwards." } },
    refuses: ["last_owner"],
    access: { table: [get, query, put, update, remove] },
  },
  removeMember: {
    method: "DELETE",
    path: "/v1/workspaces/{workspaceId}/members/{userId}",
    role: "owner",
    summary: "Remove a member",
    description: [
      "Also from groups and on-call schedules, and with the devices here. Members of any role may remove themselves.",
      "Refused while a step of an escalation policy names them, unless `force=true`: then the step does not notify them any more.",
      nobodyLeft,
      "So it does of API keys that they have made and that go on (`keys_left; keys=...`), and of groups whose calendar has an address that they have made, and may know for ever (`feeds_left; groups=...`).",
    ],
    query: [
      {
        name: "force",
        description: "Removes them although policies use them.",
        schema: { type: "boolean", default: false },
      },
      {
        name: "revoke",
        description:
          "`keys` deletes the API keys that they have made, too; `feeds` closes the calendars of groups whose addresses they " +
          "have made. Both are joined by a comma. Only managers and owners may.",
        schema: { type: "string", enum: ["keys", "feeds", "keys,feeds"] },
      },
    ],
    answers: gone,
    refuses: ["last_member", "last_owner", "used_by_policies"],
    ofOneself: "userId",
    access: { table: [get, batch, query, put, update, remove], sendsTo: ["events"] },
  },
} as const satisfies Operations;
