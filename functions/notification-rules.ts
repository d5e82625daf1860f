import type { Deps } from "../core/deps.ts";
import { RULES_DERIVED } from "../core/domain/people/notification-rules.ts";
import { putUserSteps, readUserSteps, type WithChannels } from "../core/flow/admin/notification-rules.ts";
import { readChannels } from "../core/live-channels.ts";
import { liveDeps } from "../core/live.ts";
import { readMember } from "../core/store/people/read-members.ts";
import { requireRole } from "./http/auth.ts";
import { addEtag } from "./http/conditional.ts";
import { replyOk } from "./http/endpoint.ts";
import { requireFound } from "./http/require-found.ts";
import { readRulesOwner } from "./http/query.ts";
import * as contract from "../interface/contracts/notification-rules.ts";
import { serve } from "./http/serve.ts";

/** Creates the handler of the requests that read notification steps. */
export const reads = (deps: Pick<Deps, "table" | "log"> & WithChannels = { ...liveDeps(), ways: readChannels() }) =>
  serve(deps, contract.reads, {
    getNotificationRules: async (request) => {
      const { workspaceId, caller } = request;
      const userId = readRulesOwner(request) ?? caller.userId;
      if (userId !== caller.userId) {
        await requireRole(deps, request, "manager", { action: "Reading other people's notification rules" });
        requireFound(await readMember(deps, workspaceId, userId), "usr");
      }
      const rules = await readUserSteps(deps, workspaceId, userId);
      return addEtag(replyOk(rules), rules);
    },
  });

/** Creates the handler of the requests that change notification steps. */
export const writes = (
  deps: Pick<Deps, "table" | "now" | "newId" | "log"> & WithChannels = { ...liveDeps(), ways: readChannels() },
) =>
  serve(deps, contract.writes, {
    putNotificationRules: async ({ as, workspaceId, caller: { userId }, change, expected }) => {
      const before = await readUserSteps(deps, workspaceId, userId);
      const input = change(before, { derived: RULES_DERIVED });
      const authored = { ...as, ways: deps.ways };
      const saved = await putUserSteps(authored, workspaceId, userId, input, expected);
      return addEtag(replyOk(saved), saved);
    },
  });
