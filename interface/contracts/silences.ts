import { findCostlyPatternsInJson } from "../../core/domain/rules/matching/index.ts";
import { SilenceInput, SilencePatch } from "../../core/domain/rules/silence-input.ts";
import { after, get, gone, type Operations, put, query, remove, update } from "../contract.ts";

export const reads = {
  listSilences: {
    method: "GET",
    path: "/v1/workspaces/{workspaceId}/silences",
    role: "viewer",
    summary: "List silences",
    query: [
      after,
      {
        name: "active",
        description: "`true` for silences that are in force now, `false` for all others.",
        schema: { type: "boolean" },
      },
    ],
    answers: {
      200: {
        shape: ["Silence"],
        description: "The silences, the oldest first. Ended silences are included until they are deleted.",
      },
    },
    access: { table: [get, query] },
  },
  getSilence: {
    method: "GET",
    path: "/v1/workspaces/{workspaceId}/silences/{silenceId}",
    role: "viewer",
    summary: "Get a silence",
    answers: { 200: { shape: "Silence" } },
    versioned: true,
    access: { table: [get] },
  },
} as const satisfies Operations;

export const writes = {
  createSilence: {
    method: "POST",
    path: "/v1/workspaces/{workspaceId}/silences",
    role: "manager",
    summary: "Create a silence",
    description:
      "Events that a silence covers notify nobody. The silence begins now if `startsAt` is missing; `endsAt` may be missing only if `weekly` is given. The hours of `weekly` are local times in its time zone. With `afterwards: " +
      '"tell"`, the default, people are notified, when the silence ends, of open events that require an acknowledgement, received in the last ' +
      "24 hours. A silence of every event (`eventKey` `*` without conditions) needs `everything: true`. The answer says how many events of the last seven days the silence would have covered.",
    body: SilenceInput,
    look: findCostlyPatternsInJson,
    answers: { 201: { shape: "SavedSilence" } },
    refuses: ["limit_reached"],
    versioned: true,
    access: { table: [get, query, put, update] },
  },
  updateSilence: {
    method: "PATCH",
    path: "/v1/workspaces/{workspaceId}/silences/{silenceId}",
    role: "manager",
    summary: "Change a silence",
    description:
      "Only the given fields change. Unknown fields, and fields that cannot be changed, are refused. Events that are no longer covered notify people within a minute.",
    change: SilencePatch,
    look: findCostlyPatternsInJson,
    answers: { 200: { shape: "SavedSilence", description: "The changed silence." } },
    versioned: true,
    access: { table: [get, query, put, update, remove] },
  },
  deleteSilence: {
    method: "DELETE",
    path: "/v1/workspaces/{workspaceId}/silences/{silenceId}",
    role: "manager",
    summary: "Delete a silence",
    description:
      "Within a minute, people are notified of the events that the silence held back, as when a silence ends.",
    answers: gone,
    versioned: true,
    access: { table: [get, put, update, remove] },
  },
} as const satisfies Operations;
