import type { Deps } from "../core/deps.ts";
import { linkSlackAccount } from "../core/flow/admin/connections.ts";
import { liveSlackApps } from "../core/live-slack.ts";
import { liveDeps } from "../core/live.ts";
import { deleteSlackAccounts } from "../core/store/delivery/slack.ts";
import { created, noContent } from "./http/endpoint.ts";
import * as contract from "../interface/contracts/slack.ts";
import { serve } from "./http/serve.ts";

export const writes = (
  deps: Pick<Deps, "table" | "now" | "newId" | "log" | "slackApps"> = { ...liveDeps(), slackApps: liveSlackApps() },
) =>
  serve(deps, contract.writes, {
    tieSlackAccount: async ({ as, workspaceId, caller, body: input }) =>
      created(await linkSlackAccount(as, workspaceId, caller.userId, input.token)),
    untieSlackAccount: async ({ as, workspaceId, caller }) => {
      await deleteSlackAccounts(as, workspaceId, caller.userId);
      return noContent();
    },
  });
