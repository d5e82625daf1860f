import type { Deps } from "../../core/deps.ts";
import { emptyLine, toWebhookView } from "../../core/domain/webhook/webhook.ts";
import { readLines } from "../../core/store/webhook-lines.ts";
import * as webhooks from "../../core/store/webhooks.ts";
import { liveDeps } from "../../core/live.ts";
import { member } from "../http/auth.ts";
import { endpoint } from "../http/endpoint.ts";
import { listed } from "../http/pages.ts";

export const listWebhooks = (deps: Pick<Deps, "table" | "log">) =>
  endpoint(deps)
    .use(member(deps, "after"))
    .handler(async (request) => {
      const { workspaceId: ws } = request;
      const [all, lines] = await Promise.all([webhooks.listWebhooks(deps, ws), readLines(deps, ws)]);
      return listed(
        request,
        all.map((webhook) => toWebhookView(webhook, lines.get(webhook.id) ?? emptyLine)),
        ({ id }) => id,
      );
    });

export const handler = listWebhooks(liveDeps());
