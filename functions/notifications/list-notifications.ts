import type { Deps } from "../../core/deps.ts";
import { newestFirst, toNotificationView } from "../../core/domain/delivery/notification-view.ts";
import { liveDeps } from "../../core/live.ts";
import { listNewestPacks } from "../../core/store/packs.ts";
import { requireMember } from "../http/auth.ts";
import { readNotificationLimit } from "../http/query.ts";
import { route } from "../http/route.ts";

export const listNotifications = (deps: Pick<Deps, "table" | "log">) =>
  route(deps, async (request) => {
    const { workspaceId } = await requireMember(deps, request);
    const limit = readNotificationLimit(request);
    const packs = await listNewestPacks(deps, workspaceId, limit);
    const all = packs.flatMap((pack) => pack.recipients.map((recipient) => toNotificationView(pack, recipient)));
    return { status: 200, body: newestFirst(all).slice(0, limit) };
  });

export const handler = listNotifications(liveDeps());
