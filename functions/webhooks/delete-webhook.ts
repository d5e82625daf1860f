import type { Deps } from "../../core/deps.ts";
import { liveDeps } from "../../core/live.ts";
import * as webhooks from "../../core/store/webhooks.ts";
import { asCaller } from "../http/as-caller.ts";
import { member } from "../http/auth.ts";
import { expectedVersions } from "../http/conditional.ts";
import { endpoint } from "../http/endpoint.ts";
import { deleted } from "../http/found.ts";
import { pathId } from "../http/path.ts";

export const deleteWebhook = (deps: Pick<Deps, "table" | "now" | "newId" | "log">) =>
  endpoint(deps)
    .use(member(deps))
    .use(pathId("wh", "webhookId"))
    .handler(async (request) => {
      const { workspaceId, webhookId } = request;
      return deleted(
        await webhooks.deleteWebhook(asCaller(deps, request), workspaceId, webhookId, expectedVersions(request)),
        "wh",
      );
    });

export const handler = deleteWebhook(liveDeps());
