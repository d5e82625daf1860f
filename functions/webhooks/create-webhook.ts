import type { Deps } from "../../core/deps.ts";
import { emptyLine, toWebhookView, WebhookInput } from "../../core/domain/webhook/webhook.ts";
import * as flow from "../../core/flow/admin/webhooks.ts";
import { liveDeps } from "../../core/live.ts";
import { liveWebhookKey } from "../../core/live-webhooks.ts";
import { asCaller } from "../http/as-caller.ts";
import { member } from "../http/auth.ts";
import { body } from "../http/body.ts";
import { tagged } from "../http/conditional.ts";
import { created, endpoint } from "../http/endpoint.ts";

export const createWebhook = (deps: Pick<Deps, "table" | "now" | "newId" | "log" | "webhookKey" | "webhookStandIn">) =>
  endpoint(deps)
    .use(member(deps))
    .use(body(WebhookInput))
    .handler(async (request) => {
      const { webhook, secret } = await flow.createWebhook(asCaller(deps, request), request.workspaceId, request.body);
      return tagged(created({ ...toWebhookView(webhook, emptyLine), secret }), webhook);
    });

export const handler = createWebhook({ ...liveDeps(), webhookKey: liveWebhookKey() });
