import type { Deps } from "../../core/deps.ts";
import * as flow from "../../core/flow/admin/connections.ts";
import { liveDeps } from "../../core/live.ts";
import { liveSlack, liveSlackApps } from "../../core/live-slack.ts";
import { livePost } from "../../core/live-webhooks.ts";
import { asCaller } from "../http/as-caller.ts";
import { member } from "../http/auth.ts";
import { endpoint, ok } from "../http/endpoint.ts";
import { found } from "../http/found.ts";
import { pathId } from "../http/path.ts";

type TestDeps = Pick<Deps, "table" | "now" | "newId" | "log" | "post" | "slack" | "slackApps"> & {
  queues: Pick<Deps["queues"], "webhooks">;
};

/** `POST .../connections/:connectionId/test`: posts to the room at once, and answers what came of it. */
export const testConnection = (deps: TestDeps) =>
  endpoint(deps)
    .use(member(deps))
    .use(pathId("con", "connectionId"))
    .handler(async (request) => {
      const { workspaceId, connectionId } = request;
      return ok(found(await flow.testConnection(asCaller(deps, request), workspaceId, connectionId), "con"));
    });

export const handler = testConnection({
  ...liveDeps("webhooks"),
  post: livePost(),
  slack: liveSlack(),
  slackApps: liveSlackApps(),
});
