import { dearPatternsOf } from "../../core/domain/rules/matching/index.ts";
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
        description: "`true` for those that are in force now, `false` for the others.",
        schema: { type: "boolean" },
      },
    ],
    answers: {
      200: {
        shape: ["Silence"],
        description: "The oldest first, those that are over included until they are deleted.",
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
      "Events that it covers notify nobody. It begins now if `startsAt` is missing; `endsAt` may be " +
      "missing only where `weekly` is given. Hours of the week are read by the wall clock of their zone. With `afterwards: " +
      '"tell"`, the default, people are notified when it ends of events that want an acknowledgement, came in the last ' +
      "24 hours and are not over. One over every event (`eventKey` `*` without conditions) needs `everything: true`. The answer " +
      "says how many of the last seven days' events it would have covered.",
    body: SilenceInput,
    look: dearPatternsOf,
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
      "Only the given fields change. Unknown fields, and those that cannot change, are refused. Events that it held back and " +
      "no longer covers are notified within a minute.",
    change: SilencePatch,
    look: dearPatternsOf,
    answers: { 200: { shape: "SavedSilence", description: "The changed silence." } },
    versioned: true,
    access: { table: [get, query, put, update, remove] },
  },
  deleteSilence: {
    method: "DELETE",
    path: "/v1/workspaces/{workspaceId}/silences/{silenceId}",
    role: "manager",
    summary: "Delete a silence",
    description: "Recipients of events that it held are notified within a minute, as at its end.",
    answers: gone,
    versioned: true,
    access: { table: [get, put, update, remove] },
  },
} as const satisfies Operations;
