import type { Deps } from "../../core/deps.ts";
import { EscalationPolicyInput } from "../../core/domain/escalation/escalation-policy.ts";
import { createPolicy } from "../../core/flow/admin/write-policy.ts";
import { withAuthor } from "../../core/flow/read/authors.ts";
import { liveDeps } from "../../core/live.ts";
import { body } from "../http/body.ts";
import { created, endpoint } from "../http/endpoint.ts";
import { asCaller } from "../http/as-caller.ts";
import { member } from "../http/auth.ts";
import { tagged } from "../http/conditional.ts";

export const createEscalationPolicy = (deps: Pick<Deps, "table" | "now" | "newId" | "log">) =>
  endpoint(deps)
    .use(member(deps))
    .use(body(EscalationPolicyInput))
    .handler(async (request) => {
      const { workspaceId, body: input } = request;
      const policy = await createPolicy(asCaller(deps, request), workspaceId, input);
      return tagged(created(await withAuthor(deps, workspaceId, policy)), policy);
    });

export const handler = createEscalationPolicy(liveDeps());
