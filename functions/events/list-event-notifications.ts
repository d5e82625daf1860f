import type { Deps } from "../../core/deps.ts";
import { listNotificationsOf } from "../../core/flow/read/read-event.ts";
import { liveDeps } from "../../core/live.ts";
import { found } from "../http/found.ts";
import { endpoint } from "../http/endpoint.ts";
import { member } from "../http/auth.ts";
import { foundAfter, pageOf, readAfter } from "../http/pages.ts";
import { pathId } from "../http/path.ts";

export const listEventNotifications = (deps: Pick<Deps, "table" | "now" | "log">) =>
  endpoint(deps)
    .use(member(deps, "after"))
    .use(pathId("evt", "eventId"))
    .handler(async (request) => {
      const { workspaceId, eventId } = request;
      const answer = found(await listNotificationsOf(deps, workspaceId, eventId, readAfter(request)), "evt");
      const { notifications, more } = foundAfter(answer);
      return pageOf(request, notifications, more ? notifications.at(-1)?.id : undefined);
    });

export const handler = listEventNotifications(liveDeps());
