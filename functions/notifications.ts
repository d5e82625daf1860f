import type { Deps } from "../core/deps.ts";
import { toNotificationView } from "../core/domain/delivery/notification-view.ts";
import { processReportAndNotify } from "../core/flow/respond/report-notification.ts";
import type { NotifyDeps } from "../core/flow/respond/notify-end.ts";
import { explainNotification } from "../core/flow/read/explain-notification.ts";
import * as flow from "../core/flow/read/list-notifications.ts";
import { liveDeps } from "../core/live.ts";
import { replyCursorPage, readCursor } from "./http/cursor.ts";
import { replyOk } from "./http/endpoint.ts";
import { requireFound } from "./http/require-found.ts";
import { readNotificationFilter, readListLimit } from "./http/query.ts";
import * as contract from "../interface/contracts/notifications.ts";
import { serve } from "./http/serve.ts";

/** Creates the handler of the requests that read notifications. */
export const reads = (deps: Pick<Deps, "table" | "now" | "log"> = liveDeps()) =>
  serve(deps, contract.reads, {
    listNotifications: async (request) => {
      const { workspaceId, caller } = request;
      const { user, state, order } = readNotificationFilter(request);
      const wanted = {
        limit: readListLimit(request),
        user: user === undefined ? undefined : caller.userId,
        after: await readCursor("notifications", request),
        order,
      };
      const list = state === undefined ? flow.listNotifications : flow.listOpenNotifications;
      const { items, next } = await list(deps, workspaceId, wanted);
      return replyCursorPage("notifications", request, items, next);
    },
    getNotification: async ({ workspaceId, notificationId }) =>
      replyOk(requireFound(await explainNotification(deps, workspaceId, notificationId), "ntf")),
  });

/** Creates the handler of the requests that report a notification as delivered, opened or acknowledged. */
export const writes = (deps: Pick<Deps, "table" | "now" | "log"> & NotifyDeps = liveDeps("pushes", "webhooks")) =>
  serve(deps, contract.writes, {
    updateNotification: async ({ workspaceId, notificationId, caller, body: { status } }) => {
      const by = { id: caller.userId, name: caller.name };
      const { pack, recipient } = await processReportAndNotify(deps, workspaceId, notificationId, status, by);
      return replyOk(toNotificationView(pack, recipient));
    },
  });
