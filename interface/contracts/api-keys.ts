import { ApiKeyInput } from "../../core/domain/workspace/api-key.ts";
import { get, gone, type Operations, put, query, remove, update } from "../contract.ts";

export const reads = {
  listApiKeys: {
    method: "GET",
    path: "/v1/workspaces/{workspaceId}/api-keys",
    role: "viewer",
    summary: "List API keys",
    answers: { 200: { shape: ["ApiKey"], description: "The keys without their secrets, the oldest first." } },
    access: { table: [get, query] },
  },
  getApiKey: {
    method: "GET",
    path: "/v1/workspaces/{workspaceId}/api-keys/{id}",
    role: "viewer",
    summary: "Get an API key",
    answers: { 200: { shape: "ApiKey", description: "The key, without its secret." } },
    versioned: true,
    access: { table: [get] },
  },
} as const satisfies Operations;

export const writes = {
  createApiKey: {
    method: "POST",
    path: "/v1/workspaces/{workspaceId}/api-keys",
    role: "manager",
    summary: "Create an API key",
    description:
      "The secret is in this answer only. A key with a `source` is valid only for that tool's messages. Its answer also has a `url` that contains the key, for tools that cannot send headers.",
    body: ApiKeyInput,
    answers: { 201: { shape: "ApiKeyWithText" } },
    refuses: ["limit_reached"],
    versioned: true,
    access: { table: [get, query, put, update, remove] },
  },
  deleteApiKey: {
    method: "DELETE",
    path: "/v1/workspaces/{workspaceId}/api-keys/{id}",
    role: "manager",
    summary: "Delete an API key",
    description: "The next request with the key is answered 401.",
    answers: gone,
    versioned: true,
    access: { table: [get, put, update, remove] },
  },
} as const satisfies Operations;
