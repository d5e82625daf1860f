import type { Deps } from "../../core/deps.ts";
import * as flow from "../../core/flow/admin/webhooks.ts";
import { liveDeps } from "../../core/live.ts";
import { livePost, liveWebhookKey } from "../../core/live-webhooks.ts";
import { asCaller } from "../http/as-caller.ts";
import { member } from "../http/auth.ts";
import { endpoint, ok } from "../http/endpoint.ts";
import { found } from "../http/found.ts";
import { pathId } from "../http/path.ts";

type TestDeps = Pick<Deps, "table" | "now" | "newId" | "log" | "post" | "webhookKey"> & {
  queues: Pick<Deps["queues"], "webhooks">;
};

/** `POST .../webhooks/:webhookId/test`: sends a test at once, and answers what the receiver answered. */
export const testWebhook = (deps: TestDeps) =>
  endpoint(deps)
    .use(member(deps))
    .use(pathId("wh", "webhookId"))
    .handler(async (request) => {
      const { workspaceId, webhookId } = request;
      return ok(found(await flow.testWebhook(asCaller(deps, request), workspaceId, webhookId), "wh"));
    });

export const handler = testWebhook({ ...liveDeps("webhooks"), post: livePost(), webhookKey: liveWebhookKey() });
