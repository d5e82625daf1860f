import type { Deps } from "../../core/deps.ts";
import { explainNotification } from "../../core/flow/read/explain-notification.ts";
import { liveDeps } from "../../core/live.ts";
import { found } from "../http/found.ts";
import { endpoint, ok } from "../http/endpoint.ts";
import { member } from "../http/auth.ts";
import { pathId } from "../http/path.ts";

export const getNotification = (deps: Pick<Deps, "table" | "now" | "log">) =>
  endpoint(deps)
    .use(member(deps))
    .use(pathId("ntf", "notificationId"))
    .handler(async ({ workspaceId, notificationId }) =>
      ok(found(await explainNotification(deps, workspaceId, notificationId), "ntf")),
    );

export const handler = getNotification(liveDeps());
