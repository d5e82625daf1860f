import { batch, get, gone, type Operations, put, query, remove } from "../contract.ts";

export const writes = {
  renewMyCalendar: {
    method: "POST",
    path: "/v1/workspaces/{workspaceId}/on-call/mine/calendar",
    role: "viewer",
    forPeople: true,
    summary: "Get a new URL of my calendar",
    description: "The URL is in this answer only. The previous URL stops working.",
    answers: { 201: { shape: "CalendarAddress" } },
    access: { table: [get, put, remove] },
  },
  deleteMyCalendar: {
    method: "DELETE",
    path: "/v1/workspaces/{workspaceId}/on-call/mine/calendar",
    role: "viewer",
    forPeople: true,
    summary: "Close my calendar",
    answers: gone,
    refuses: ["not_found"],
    access: { table: [get, put, remove] },
  },
  renewGroupCalendar: {
    method: "POST",
    path: "/v1/workspaces/{workspaceId}/groups/{groupId}/on-call/calendar",
    role: "manager",
    summary: "Get a new URL of a group's calendar",
    description: "The URL is in this answer only. The previous URL stops working.",
    answers: { 201: { shape: "CalendarAddress" } },
    access: { table: [get, put, remove] },
  },
  deleteGroupCalendar: {
    method: "DELETE",
    path: "/v1/workspaces/{workspaceId}/groups/{groupId}/on-call/calendar",
    role: "manager",
    summary: "Close a group's calendar",
    answers: gone,
    access: { table: [get, put, remove] },
  },
} as const satisfies Operations;

export const readCalendar = {
  readCalendar: {
    method: "GET",
    path: "/v1/calendars/{calendar}",
    auth: "secret-path",
    summary: "Read a calendar",
    description: "Shifts as iCalendar (RFC 5545), for anybody who knows the URL.",
    answers: { 200: { textType: "text/calendar", description: "The shifts." } },
    refuses: ["not_found"],
    access: { table: [get, batch, query], keys: ["calendars", "people", "devices"] },
  },
} as const satisfies Operations;
