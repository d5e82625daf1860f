import { DryRunInput } from "../../core/domain/planning/dry-run.ts";
import { findCostlyPatternsInJson } from "../../core/domain/rules/matching/index.ts";
import { RuleInput, RulePatch } from "../../core/domain/rules/rule-input.ts";
import { after, batch, get, gone, type Operations, put, query, remove, update } from "../contract.ts";

export const reads = {
  listRoutingRules: {
    method: "GET",
    path: "/v1/workspaces/{workspaceId}/routing-rules",
    role: "viewer",
    summary: "List routing rules",
    query: [after],
    answers: { 200: { shape: ["RoutingRule"], description: "The rules, the oldest first, each with its `warnings`." } },
    access: { table: [get, batch, query] },
  },
  getRoutingRule: {
    method: "GET",
    path: "/v1/workspaces/{workspaceId}/routing-rules/{ruleId}",
    role: "viewer",
    summary: "Get a routing rule",
    answers: { 200: { shape: "RoutingRule" } },
    versioned: true,
    access: { table: [get, batch, query] },
  },
  testRoutingRules: {
    method: "POST",
    path: "/v1/workspaces/{workspaceId}/routing-rules/test",
    role: "viewer",
    summary: "Try rules on an event",
    description:
      "Says for every rule, and for the draft (its `id` is null), whether it matches and whom it would notify. Nothing is stored or sent. In a workspace with more than 500 rules, rules for other event keys are left out.",
    body: DryRunInput,
    look: findCostlyPatternsInJson,
    answers: { 200: { shape: "DryRun", description: "What would happen." } },
    access: { table: [get, batch, query] },
  },
  listProbes: {
    method: "GET",
    path: "/v1/workspaces/{workspaceId}/probes",
    role: "viewer",
    summary: "List the results of the last probes",
    query: [after],
    answers: {
      200: {
        shape: ["Probe"],
        description:
          "Each rule with its last probe, whose five stages are in `links`; then each escalation policy that a rule names.",
      },
    },
    access: { table: [get, batch, query] },
  },
} as const satisfies Operations;

export const writes = {
  createRoutingRule: {
    method: "POST",
    path: "/v1/workspaces/{workspaceId}/routing-rules",
    role: "manager",
    summary: "Create a routing rule",
    description: "Unknown fields are refused. `warnings` says whom the rule cannot notify.",
    body: RuleInput,
    look: findCostlyPatternsInJson,
    answers: { 201: { shape: "RoutingRule" } },
    versioned: true,
    access: { table: [get, batch, query, put, update] },
  },
  updateRoutingRule: {
    method: "PATCH",
    path: "/v1/workspaces/{workspaceId}/routing-rules/{ruleId}",
    role: "manager",
    summary: "Change a routing rule",
    description:
      "Only the given fields change. Unknown fields are refused. Read-only fields are refused only if their value differs, so you can send back what you read.",
    change: RulePatch,
    look: findCostlyPatternsInJson,
    answers: { 200: { shape: "RoutingRule", description: "The changed rule." } },
    versioned: true,
    access: { table: [get, batch, query, put, update] },
  },
  probeRoutingRule: {
    method: "POST",
    path: "/v1/workspaces/{workspaceId}/routing-rules/{ruleId}/probe",
    role: "manager",
    summary: "Send a probe of a routing rule",
    description:
      "Within a minute, the recipients get one silent push. Their devices have two minutes to confirm the push.",
    answers: { 201: { shape: "SentProbe", description: "The probe was accepted." } },
    refuses: ["rate_limited"],
    access: { table: [get, query, put, update], sendsTo: ["events"] },
  },
  deleteRoutingRule: {
    method: "DELETE",
    path: "/v1/workspaces/{workspaceId}/routing-rules/{ruleId}",
    role: "manager",
    summary: "Delete a routing rule",
    answers: gone,
    versioned: true,
    access: { table: [get, put, update, remove] },
  },
} as const satisfies Operations;
