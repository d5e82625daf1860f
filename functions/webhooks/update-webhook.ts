import type { Deps } from "../../core/deps.ts";
import { toWebhookView, WEBHOOK_MOVES, WebhookPatch } from "../../core/domain/webhook/webhook.ts";
import * as flow from "../../core/flow/admin/webhooks.ts";
import { liveDeps } from "../../core/live.ts";
import { readLine } from "../../core/store/webhook-lines.ts";
import { readWebhook } from "../../core/store/webhooks.ts";
import { asCaller } from "../http/as-caller.ts";
import { member } from "../http/auth.ts";
import { expectedVersions, readChange, tagged } from "../http/conditional.ts";
import { endpoint, ok } from "../http/endpoint.ts";
import { found } from "../http/found.ts";
import { pathId } from "../http/path.ts";

type UpdateDeps = Pick<Deps, "table" | "now" | "newId" | "log" | "webhookStandIn"> & {
  queues: Pick<Deps["queues"], "webhooks">;
};

export const updateWebhook = (deps: UpdateDeps) =>
  endpoint(deps)
    .use(member(deps))
    .use(pathId("wh", "webhookId"))
    .handler(async (request) => {
      const { workspaceId: ws, webhookId: id } = request;
      const before = found(await readWebhook(deps, ws, id), "wh");
      const shown = toWebhookView(before, await readLine(deps, { ws, id }));
      const patch = readChange(request, WebhookPatch, shown, { derived: WEBHOOK_MOVES });
      const webhook = found(
        await flow.updateWebhook(asCaller(deps, request), ws, id, patch, expectedVersions(request)),
        "wh",
      );
      return tagged(ok(toWebhookView(webhook, await readLine(deps, { ws, id }))), webhook);
    });

export const handler = updateWebhook(liveDeps("webhooks"));
