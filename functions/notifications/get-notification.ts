import type { Deps } from "../../core/deps.ts";
import { explainNotification } from "../../core/flow/explain-notification.ts";
import { liveDeps } from "../../core/live.ts";
import { requireMember } from "../http/auth.ts";
import { found } from "../http/found.ts";
import { pathId } from "../http/path.ts";
import { route } from "../http/route.ts";

export const getNotification = (deps: Pick<Deps, "table" | "log">) =>
  route(deps, async (request) => {
    const { workspaceId } = await requireMember(deps, request);
    const id = pathId("ntf", request, "notificationId");
    return { status: 200, body: found(await explainNotification(deps, workspaceId, id), "ntf") };
  });

export const handler = getNotification(liveDeps());
