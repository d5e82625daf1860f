import type { Deps } from "../core/deps.ts";
import { createPolicy, deletePolicy, updatePolicy } from "../core/flow/admin/write-policy.ts";
import { addAuthor, addAuthors } from "../core/flow/read/authors.ts";
import { listPolicies, readPolicy } from "../core/flow/read/read-policies.ts";
import { liveDeps } from "../core/live.ts";
import { readPolicy as readStoredPolicy } from "../core/store/rules/escalation-policies.ts";
import { addEtag } from "./http/conditional.ts";
import { replyCreated, replyOk } from "./http/endpoint.ts";
import { replyDeleted, requireFound } from "./http/require-found.ts";
import { replyList } from "./http/pages.ts";
import { readForce } from "./http/query.ts";
import * as contract from "../interface/contracts/escalation-policies.ts";
import { serve } from "./http/serve.ts";

/** Creates the handler of the requests that read escalation policies. */
export const reads = (deps: Pick<Deps, "table" | "now" | "log"> = liveDeps()) =>
  serve(deps, contract.reads, {
    listEscalationPolicies: async (request) => {
      const { workspaceId } = request;
      const policies = await addAuthors(deps, workspaceId, await listPolicies(deps, workspaceId));
      return replyList(request, policies, ({ id }) => id);
    },
    getEscalationPolicy: async ({ workspaceId, policyId }) => {
      const policy = requireFound(await readPolicy(deps, workspaceId, policyId), "pol");
      return addEtag(replyOk(await addAuthor(deps, workspaceId, policy)), policy);
    },
  });

/** Creates the handler of the requests that change escalation policies. */
export const writes = (deps: Pick<Deps, "table" | "now" | "newId" | "log"> = liveDeps()) =>
  serve(deps, contract.writes, {
    createEscalationPolicy: async ({ as, workspaceId, body: input }) => {
      const policy = await createPolicy(as, workspaceId, input);
      return addEtag(replyCreated(await addAuthor(deps, workspaceId, policy)), policy);
    },
    updateEscalationPolicy: async ({ as, workspaceId, policyId, change, expected }) => {
      const before = requireFound(await readStoredPolicy(deps, workspaceId, policyId), "pol");
      const patch = change(before, { derived: ["warnings"] });
      const policy = requireFound(await updatePolicy(as, workspaceId, policyId, patch, expected), "pol");
      return addEtag(replyOk(await addAuthor(deps, workspaceId, policy)), policy);
    },
    deleteEscalationPolicy: async (request) => {
      const { workspaceId, policyId } = request;
      const how = { force: readForce(request), expected: request.expected };
      return replyDeleted(await deletePolicy(request.as, workspaceId, policyId, how), "pol");
    },
  });
