import type { Deps } from "../../core/deps.ts";
import { ReplayInput } from "../../core/domain/webhook/message.ts";
import * as flow from "../../core/flow/admin/webhooks.ts";
import { liveDeps } from "../../core/live.ts";
import { asCaller } from "../http/as-caller.ts";
import { member } from "../http/auth.ts";
import { body } from "../http/body.ts";
import { endpoint, ok } from "../http/endpoint.ts";
import { found } from "../http/found.ts";
import { pathId } from "../http/path.ts";

export const replayWebhook = (
  deps: Pick<Deps, "table" | "now" | "newId" | "log"> & { queues: Pick<Deps["queues"], "webhooks"> },
) =>
  endpoint(deps)
    .use(member(deps))
    .use(pathId("wh", "webhookId"))
    .use(body(ReplayInput))
    .handler(async (request) => {
      const { workspaceId, webhookId, body: input } = request;
      return ok({ replayed: found(await flow.replay(asCaller(deps, request), workspaceId, webhookId, input), "wh") });
    });

export const handler = replayWebhook(liveDeps("webhooks"));
