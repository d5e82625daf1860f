import { EscalationPolicyInput, EscalationPolicyPatch } from "../../core/domain/escalation/escalation-policy.ts";
import { after, batch, get, gone, type Operations, put, query, remove, update } from "../contract.ts";

export const reads = {
  listEscalationPolicies: {
    method: "GET",
    path: "/v1/workspaces/{workspaceId}/escalation-policies",
    role: "viewer",
    summary: "List escalation policies",
    query: [after],
    answers: {
      200: { shape: ["EscalationPolicy"], description: "The policies, the oldest first, each with its `warnings`." },
    },
    access: { table: [get, batch, query] },
  },
  getEscalationPolicy: {
    method: "GET",
    path: "/v1/workspaces/{workspaceId}/escalation-policies/{policyId}",
    role: "viewer",
    summary: "Get an escalation policy",
    description: "`warnings` names the steps that notify nobody.",
    answers: { 200: { shape: "EscalationPolicy" } },
    versioned: true,
    access: { table: [get, batch, query] },
  },
} as const satisfies Operations;

export const writes = {
  createEscalationPolicy: {
    method: "POST",
    path: "/v1/workspaces/{workspaceId}/escalation-policies",
    role: "manager",
    summary: "Create an escalation policy",
    body: EscalationPolicyInput,
    description: "`warnings` names the steps that notify nobody.",
    answers: { 201: { shape: "EscalationPolicy" } },
    versioned: true,
    access: { table: [get, batch, query, put, update] },
  },
  updateEscalationPolicy: {
    method: "PATCH",
    path: "/v1/workspaces/{workspaceId}/escalation-policies/{policyId}",
    role: "manager",
    summary: "Change an escalation policy",
    description: "Running escalations keep the old policy.",
    change: EscalationPolicyPatch,
    answers: { 200: { shape: "EscalationPolicy", description: "The changed policy." } },
    versioned: true,
    access: { table: [get, batch, query, put, update] },
  },
  deleteEscalationPolicy: {
    method: "DELETE",
    path: "/v1/workspaces/{workspaceId}/escalation-policies/{policyId}",
    role: "manager",
    summary: "Delete an escalation policy",
    description:
      "The request is refused while rules use the policy, unless `force=true`: then those rules no longer escalate.",
    query: [
      {
        name: "force",
        description: "Deletes the policy even if rules use it.",
        schema: { type: "boolean", default: false },
      },
    ],
    answers: gone,
    refuses: ["policy_in_use"],
    versioned: true,
    access: { table: [get, query, put, update, remove] },
  },
} as const satisfies Operations;
