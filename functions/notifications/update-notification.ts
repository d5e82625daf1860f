import type { Deps } from "../../core/deps.ts";
import { NotificationReport } from "../../core/domain/delivery/notification.ts";
import { toNotificationView } from "../../core/domain/delivery/notification-view.ts";
import { takeReportAndTell } from "../../core/flow/life/report-notification.ts";
import type { TellDeps } from "../../core/flow/life/tell-over.ts";
import { liveDeps } from "../../core/live.ts";
import { body } from "../http/body.ts";
import { endpoint, ok } from "../http/endpoint.ts";
import { member } from "../http/auth.ts";
import { pathId } from "../http/path.ts";

export const updateNotification = (deps: Pick<Deps, "table" | "now" | "log"> & TellDeps) =>
  endpoint(deps)
    .use(member(deps))
    .use(pathId("ntf", "notificationId"))
    .use(body(NotificationReport))
    .handler(async ({ workspaceId, notificationId, caller, body: { status } }) => {
      const by = { id: caller.userId, name: caller.name };
      const { pack, recipient } = await takeReportAndTell(deps, workspaceId, notificationId, status, by);
      return ok(toNotificationView(pack, recipient));
    });

export const handler = updateNotification(liveDeps("pushes", "webhooks"));
