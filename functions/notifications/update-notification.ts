import type { Deps } from "../../core/deps.ts";
import { NotificationReport } from "../../core/domain/delivery/notification.ts";
import { toNotificationView } from "../../core/domain/delivery/notification-view.ts";
import { takeReport } from "../../core/flow/report-notification.ts";
import { liveDeps } from "../../core/live.ts";
import { requireMember } from "../http/auth.ts";
import { readBody } from "../http/body.ts";
import { pathId } from "../http/path.ts";
import { route } from "../http/route.ts";

export const updateNotification = (deps: Pick<Deps, "table" | "now" | "log">) =>
  route(deps, async (request) => {
    const { workspaceId } = await requireMember(deps, request);
    const id = pathId("ntf", request, "notificationId");
    const { status } = readBody(NotificationReport, request);
    const { pack, recipient } = await takeReport(deps, workspaceId, id, status);
    return { status: 200, body: toNotificationView(pack, recipient) };
  });

export const handler = updateNotification(liveDeps());
