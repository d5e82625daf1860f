import type { Deps } from "../../core/deps.ts";
import { NotificationRulesInput, RULES_DERIVED } from "../../core/domain/people/notification-rules.ts";
import { putRules, readRules, type WithWays } from "../../core/flow/admin/notification-rules.ts";
import { liveDeps } from "../../core/live.ts";
import { liveWays } from "../../core/live-ways.ts";
import { asCaller } from "../http/as-caller.ts";
import { member } from "../http/auth.ts";
import { expectedVersions, readChange, tagged } from "../http/conditional.ts";
import { endpoint, ok } from "../http/endpoint.ts";

export const putNotificationRules = (deps: Pick<Deps, "table" | "now" | "newId" | "log"> & WithWays) =>
  endpoint(deps)
    .use(member(deps))
    .handler(async (request) => {
      const {
        workspaceId,
        caller: { userId },
      } = request;
      const before = await readRules(deps, workspaceId, userId);
      const input = readChange(request, NotificationRulesInput, before, { derived: RULES_DERIVED });
      const authored = { ...asCaller(deps, request), ways: deps.ways };
      const saved = await putRules(authored, workspaceId, userId, input, expectedVersions(request));
      return tagged(ok(saved), saved);
    });

export const handler = putNotificationRules({ ...liveDeps(), ways: liveWays() });
