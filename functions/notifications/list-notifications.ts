import type { Deps } from "../../core/deps.ts";
import { newestFirst, toNotificationView } from "../../core/domain/delivery/notification-view.ts";
import { liveDeps } from "../../core/live.ts";
import { listNewestPacks } from "../../core/store/packs.ts";
import { readNotificationLimit } from "../http/query.ts";
import { endpoint, ok } from "../http/endpoint.ts";
import { member } from "../http/auth.ts";

export const listNotifications = (deps: Pick<Deps, "table" | "log">) =>
  endpoint(deps)
    .use(member(deps, "limit"))
    .handler(async (request) => {
      const { workspaceId } = request;
      const limit = readNotificationLimit(request);
      const packs = await listNewestPacks(deps, workspaceId, limit);
      const all = packs.flatMap((pack) => pack.recipients.map((recipient) => toNotificationView(pack, recipient)));
      return ok(newestFirst(all).slice(0, limit));
    });

export const handler = listNotifications(liveDeps());
