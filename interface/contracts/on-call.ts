import { OnCallOverrideInput, OnCallSchedule } from "../../core/domain/on-call/index.ts";
import {
  after,
  batch,
  get,
  gone,
  nobodyLeft,
  type Operations,
  put,
  query,
  type QueryParameter,
  remove,
  update,
} from "../contract.ts";

const momentAsked: QueryParameter = {
  name: "at",
  description: "The time for which to answer; by default now.",
  schema: { type: "string", format: "date-time" },
};

export const reads = {
  getOnCall: {
    method: "GET",
    path: "/v1/workspaces/{workspaceId}/groups/{groupId}/on-call",
    role: "viewer",
    summary: "Get the on-call schedule of a group",
    description:
      "Returns 404 also for a group with neither a schedule nor overrides. With overrides alone, `layers` is empty and `version` is 0.",
    answers: { 200: { shape: "OnCallSchedule", description: "The schedule with its overrides." } },
    versioned: true,
    access: { table: [get, batch, query] },
  },
  getOnCallNow: {
    method: "GET",
    path: "/v1/workspaces/{workspaceId}/groups/{groupId}/on-call/now",
    role: "viewer",
    summary: "Get the people on call in a group",
    query: [momentAsked],
    answers: { 200: { shape: "OnCallNow", description: "The people on call, and the people who are on call next." } },
    access: { table: [get, batch, query] },
  },
  listOnCallNow: {
    method: "GET",
    path: "/v1/workspaces/{workspaceId}/on-call/now",
    role: "viewer",
    summary: "List the people on call in every group",
    query: [momentAsked, after],
    answers: { 200: { shape: ["GroupOnCallNow"], description: "An entry for each group, the oldest group first." } },
    access: { table: [get, batch, query] },
  },
  listMyShifts: {
    method: "GET",
    path: "/v1/workspaces/{workspaceId}/on-call/mine",
    role: "viewer",
    forPeople: true,
    summary: "List my shifts",
    query: [after],
    answers: {
      200: {
        shape: ["Shift"],
        description:
          "The caller's shifts of the next four weeks, the earliest first, including a shift that has begun.",
      },
    },
    access: { table: [get, batch, query] },
  },
} as const satisfies Operations;

export const writes = {
  putOnCall: {
    method: "PUT",
    path: "/v1/workspaces/{workspaceId}/groups/{groupId}/on-call",
    role: "manager",
    summary: "Set the on-call schedule of a group",
    description:
      "If people are added to, removed from or replaced in a rotation, the person on call stays on call: `first` of the layer then says with " +
      "whom the rotation begins. `warnings` name everybody whose turns move.",
    change: OnCallSchedule,
    answers: {
      200: { shape: "WrittenSchedule", description: "The changed schedule, with the gaps of the next weeks." },
    },
    versioned: true,
    access: { table: [get, batch, query, put, update], sendsTo: ["events"] },
  },
  createOverride: {
    method: "POST",
    path: "/v1/workspaces/{workspaceId}/groups/{groupId}/on-call/overrides",
    role: "responder",
    summary: "Override the on-call schedule",
    description:
      "A responder can put only themselves on call, and only in their own groups. A person whom a manager puts on call joins the group.",
    body: OnCallOverrideInput,
    answers: { 201: { shape: "WrittenOverride" } },
    refuses: ["limit_reached"],
    access: { table: [get, batch, query, put, update], sendsTo: ["events"] },
  },
  deleteOverride: {
    method: "DELETE",
    path: "/v1/workspaces/{workspaceId}/groups/{groupId}/on-call/overrides/{overrideId}",
    role: "responder",
    summary: "Delete an override",
    description: [nobodyLeft],
    answers: gone,
    access: { table: [get, batch, query, put, update, remove], sendsTo: ["events"] },
  },
} as const satisfies Operations;
