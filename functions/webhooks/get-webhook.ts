import type { Deps } from "../../core/deps.ts";
import { toWebhookView } from "../../core/domain/webhook/webhook.ts";
import { readLine } from "../../core/store/webhook-lines.ts";
import { readWebhook } from "../../core/store/webhooks.ts";
import { liveDeps } from "../../core/live.ts";
import { member } from "../http/auth.ts";
import { tagged } from "../http/conditional.ts";
import { endpoint, ok } from "../http/endpoint.ts";
import { found } from "../http/found.ts";
import { pathId } from "../http/path.ts";

export const getWebhook = (deps: Pick<Deps, "table" | "log">) =>
  endpoint(deps)
    .use(member(deps))
    .use(pathId("wh", "webhookId"))
    .handler(async ({ workspaceId: ws, webhookId: id }) => {
      const webhook = found(await readWebhook(deps, ws, id), "wh");
      return tagged(ok(toWebhookView(webhook, await readLine(deps, { ws, id }))), webhook);
    });

export const handler = getWebhook(liveDeps());
