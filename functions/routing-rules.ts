import type { Deps } from "../core/deps.ts";
import { listSentFieldWarnings } from "../core/domain/planning/dry-run.ts";
import { createRule, updateRule } from "../core/flow/admin/write-rule.ts";
import type { IngestDeps } from "../core/flow/ingest/ingest-event.ts";
import { sendProbe } from "../core/flow/ingest/send-probe.ts";
import { addAuthor, addAuthors } from "../core/flow/read/authors.ts";
import { readProbes } from "../core/flow/read/list-probes.ts";
import { listRules, readRule } from "../core/flow/read/read-rules.ts";
import { tryRules } from "../core/flow/read/try-rules.ts";
import { liveDeps } from "../core/live.ts";
import { deleteRule, readRule as readStoredRule } from "../core/store/rules/rules.ts";
import { addEtag } from "./http/conditional.ts";
import { replyCreated, replyOk } from "./http/endpoint.ts";
import { replyDeleted, requireFound } from "./http/require-found.ts";
import { replyList } from "./http/pages.ts";
import * as contract from "../interface/contracts/routing-rules.ts";
import { serve } from "./http/serve.ts";

/** Creates the handler of the requests that read or test routing rules. */
export const reads = (deps: Pick<Deps, "table" | "now" | "log"> = liveDeps()) =>
  serve(deps, contract.reads, {
    listRoutingRules: async (request) => {
      const { workspaceId } = request;
      const rules = await addAuthors(deps, workspaceId, await listRules(deps, workspaceId));
      return replyList(request, rules, ({ id }) => id);
    },
    getRoutingRule: async ({ workspaceId, ruleId }) => {
      const rule = requireFound(await readRule(deps, workspaceId, ruleId), "rule");
      return addEtag(replyOk(await addAuthor(deps, workspaceId, rule)), rule);
    },
    testRoutingRules: async ({ workspaceId, json, body: input }) => {
      const answer = await tryRules(deps, workspaceId, input);
      return replyOk({ ...answer, warnings: [...answer.warnings, ...listSentFieldWarnings(json)] });
    },
    listProbes: async (request) => replyList(request, await readProbes(deps, request.workspaceId), ({ id }) => id),
  });

/** Creates the handler of the requests that change or probe routing rules. */
export const writes = (deps: IngestDeps = liveDeps("events")) =>
  serve(deps, contract.writes, {
    createRoutingRule: async ({ as, workspaceId, body: input }) => {
      const rule = await createRule(as, workspaceId, input);
      return addEtag(replyCreated(await addAuthor(deps, workspaceId, rule)), rule);
    },
    updateRoutingRule: async ({ as, workspaceId, ruleId, change, expected }) => {
      const before = requireFound(await readStoredRule(deps, workspaceId, ruleId), "rule");
      const patch = change(before, { derived: ["warnings"] });
      const rule = requireFound(await updateRule(as, workspaceId, ruleId, patch, expected), "rule");
      return addEtag(replyOk(await addAuthor(deps, workspaceId, rule)), rule);
    },
    probeRoutingRule: async ({ workspaceId, ruleId }) =>
      replyCreated(await sendProbe(deps, requireFound(await readStoredRule(deps, workspaceId, ruleId), "rule"))),
    deleteRoutingRule: async ({ as, workspaceId, ruleId, expected }) =>
      replyDeleted(await deleteRule(as, workspaceId, ruleId, expected), "rule"),
  });
