import type { Deps } from "../../core/deps.ts";
import * as flow from "../../core/flow/read/list-notifications.ts";
import { liveDeps } from "../../core/live.ts";
import { member } from "../http/auth.ts";
import { cursorPage, readCursor } from "../http/cursor.ts";
import { endpoint } from "../http/endpoint.ts";
import { readNotificationFilter, readNotificationLimit } from "../http/query.ts";

export const listNotifications = (deps: Pick<Deps, "table" | "now" | "log">) =>
  endpoint(deps)
    .use(member(deps, "limit", "user", "state", "order", "cursor"))
    .handler(async (request) => {
      const { workspaceId, caller } = request;
      const { user, state, order } = readNotificationFilter(request);
      const wanted = {
        limit: readNotificationLimit(request),
        user: user === undefined ? undefined : caller.userId,
        after: await readCursor("notifications", request),
        order,
      };
      const list = state === undefined ? flow.listNotifications : flow.listOpenNotifications;
      const { items, next } = await list(deps, workspaceId, wanted);
      return cursorPage("notifications", request, items, next);
    });

export const handler = listNotifications(liveDeps());
