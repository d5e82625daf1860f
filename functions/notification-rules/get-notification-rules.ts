import type { Deps } from "../../core/deps.ts";
import { readRules, type WithWays } from "../../core/flow/admin/notification-rules.ts";
import { liveDeps } from "../../core/live.ts";
import { liveWays } from "../../core/live-ways.ts";
import { readMember } from "../../core/store/members.ts";
import { member, requireRole } from "../http/auth.ts";
import { tagged } from "../http/conditional.ts";
import { endpoint, ok } from "../http/endpoint.ts";
import { found } from "../http/found.ts";
import { readWhoseRules } from "../http/query.ts";

export const getNotificationRules = (deps: Pick<Deps, "table" | "log"> & WithWays) =>
  endpoint(deps)
    .use(member(deps, "userId"))
    .handler(async (request) => {
      const { workspaceId, caller } = request;
      const userId = readWhoseRules(request) ?? caller.userId;
      if (userId !== caller.userId) {
        await requireRole(deps, request, "manager", { what: "Reading other people's notification rules" });
        found(await readMember(deps, workspaceId, userId), "usr");
      }
      const rules = await readRules(deps, workspaceId, userId);
      return tagged(ok(rules), rules);
    });

export const handler = getNotificationRules({ ...liveDeps(), ways: liveWays() });
