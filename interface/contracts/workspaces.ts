import { WorkspaceInput, WorkspacePatch } from "../../core/domain/workspace/workspace.ts";
import { after, batch, get, gone, type Operations, put, query, remove, update } from "../contract.ts";

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
} as const satisfies Operations;

export const writes = {
  createWorkspace: {
    method: "POST",
    path: "/v1/workspaces",
    summary: "Create a workspace",
    description: "The caller becomes its first member, with the name and the address that the sign-in pool has.",
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
    access: { table: [get, put, update], knowsWays: true },
  },
  deleteWorkspace: {
    method: "DELETE",
    path: "/v1/workspaces/{workspaceId}",
    role: "owner",
    summary: "Delete a workspace",
    description:
      "For good, with everything in it. Once it is answered, the workspace is in nobody's list, nobody is a member, its API keys are refused " +
      "(401). Its data is deleted within minutes or hours, depending on its size; until then an earlier event may still notify somebody.",
    query: [
      {
        name: "name",
        required: true,
        description: "The workspace's name, so that no other one is deleted by mistake. Another name is answered 422.",
        schema: { type: "string" },
      },
    ],
    answers: gone,
    versioned: true,
    access: { table: [get, query, put, update, remove] },
  },
} as const satisfies Operations;
