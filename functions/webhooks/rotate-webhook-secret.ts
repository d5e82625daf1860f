import type { Deps } from "../../core/deps.ts";
import { toWebhookView } from "../../core/domain/webhook/webhook.ts";
import * as flow from "../../core/flow/admin/webhooks.ts";
import { liveDeps } from "../../core/live.ts";
import { liveWebhookKey } from "../../core/live-webhooks.ts";
import { readLine } from "../../core/store/webhook-lines.ts";
import { asCaller } from "../http/as-caller.ts";
import { member } from "../http/auth.ts";
import { expectedVersions, tagged } from "../http/conditional.ts";
import { endpoint, ok } from "../http/endpoint.ts";
import { found } from "../http/found.ts";
import { pathId } from "../http/path.ts";

export const rotateWebhookSecret = (deps: Pick<Deps, "table" | "now" | "newId" | "log" | "webhookKey">) =>
  endpoint(deps)
    .use(member(deps))
    .use(pathId("wh", "webhookId"))
    .handler(async (request) => {
      const { workspaceId: ws, webhookId: id } = request;
      const rotated = found(await flow.rotateSecret(asCaller(deps, request), ws, id, expectedVersions(request)), "wh");
      const { webhook, secret } = rotated;
      return tagged(ok({ ...toWebhookView(webhook, await readLine(deps, { ws, id })), secret }), webhook);
    });

export const handler = rotateWebhookSecret({ ...liveDeps(), webhookKey: liveWebhookKey() });
