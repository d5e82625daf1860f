import { SHADOW_DAYS_MAX } from "../../core/domain/basics/limits.ts";
import { ShadowInput } from "../../core/domain/workspace/shadow.ts";
import { WorkspaceInput, WorkspacePatch } from "../../core/domain/workspace/workspace.ts";
import { after, batch, cursor, get, gone, type Operations, put, query, remove, update } from "../contract.ts";

export const reads = {
  listWorkspaces: {
    method: "GET",
    path: "/v1/workspaces",
    summary: "List my workspaces",
    query: [after],
    answers: { 200: { shape: ["ListedWorkspace"], description: "The oldest first." } },
    access: { table: [query, batch] },
  },
  getWorkspace: {
    method: "GET",
    path: "/v1/workspaces/{workspaceId}",
    role: "viewer",
    summary: "Get a workspace",
    answers: { 200: { shape: "WorkspaceView" } },
    versioned: true,
    access: { table: [get] },
  },
  getShadow: {
    method: "GET",
    path: "/v1/workspaces/{workspaceId}/shadow",
    role: "viewer",
    summary: "Compare a shadow with the old service",
    description:
      "The events of the last shadow, and whom this service would have notified if nobody had acknowledged, with times and " +
      "devices. A page searches 200 events and may list fewer; `nextCursor` is null on the last page.",
    query: [cursor],
    answers: { 200: { shape: "ShadowComparison", description: "The newest event first." } },
    access: { table: [get, batch, query] },
  },
} as const satisfies Operations;

export const writes = {
  createWorkspace: {
    method: "POST",
    path: "/v1/workspaces",
    summary: "Create a workspace",
    description: "The caller becomes the first member, with the name and the email address that the sign-in pool has.",
    body: WorkspaceInput,
    answers: { 201: { shape: "WorkspaceView" } },
    refuses: ["workspace_limit", "busy"],
    versioned: true,
    access: { table: [get, put, update], givesPlan: true, asksUserPool: true },
    forPeople: true,
  },
  updateWorkspace: {
    method: "PATCH",
    path: "/v1/workspaces/{workspaceId}",
    role: "manager",
    summary: "Change a workspace",
    change: WorkspacePatch,
    answers: { 200: { shape: "WorkspaceView", description: "The changed workspace." } },
    versioned: true,
    access: { table: [get, put, update], knowsChannels: true },
  },
  beginShadow: {
    method: "PUT",
    path: "/v1/workspaces/{workspaceId}/shadow",
    role: "owner",
    summary: "Begin a shadow, or change its end",
    description:
      `Until \`until\`, at most ${SHADOW_DAYS_MAX} days ahead, events are matched to rules, but nobody is notified of them: their ` +
      "notifications have the status `SHADOW`. Events that came before the shadow notify people as usual.",
    body: ShadowInput,
    answers: { 200: { shape: "Shadow" } },
    refuses: ["busy"],
    access: { table: [get, put, update] },
  },
  endShadow: {
    method: "DELETE",
    path: "/v1/workspaces/{workspaceId}/shadow",
    role: "owner",
    summary: "End the shadow",
    description:
      "From the next event on, people are notified. Nobody is notified of an event that came during the shadow.",
    answers: gone,
    refuses: ["busy"],
    access: { table: [get, put, update] },
  },
  deleteWorkspace: {
    method: "DELETE",
    path: "/v1/workspaces/{workspaceId}",
    role: "owner",
    summary: "Delete a workspace",
    description:
      "Deletes the workspace with everything in it, for good. After the answer, the workspace is in nobody's list, nobody is a member, its API keys are refused " +
      "(401). Its data is deleted within minutes or hours, depending on its size; until then an earlier event may still notify somebody.",
    query: [
      {
        name: "name",
        required: true,
        description:
          "The workspace's name, so that no other workspace is deleted by mistake. A different name is refused with 422.",
        schema: { type: "string" },
      },
    ],
    answers: gone,
    versioned: true,
    access: { table: [get, query, put, update, remove] },
  },
} as const satisfies Operations;
