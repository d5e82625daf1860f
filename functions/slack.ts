import type { Deps } from "../core/deps.ts";
import { linkSlackAccount } from "../core/flow/admin/connections.ts";
import { liveSlackApps } from "../core/live-slack.ts";
import { liveDeps } from "../core/live.ts";
import { deleteSlackAccounts } from "../core/store/delivery/slack.ts";
import { replyCreated, replyNoContent } from "./http/endpoint.ts";
import * as contract from "../interface/contracts/slack.ts";
import { serve } from "./http/serve.ts";

/** Creates the handler of the requests that link or unlink Slack accounts. */
export const writes = (
  deps: Pick<Deps, "table" | "now" | "newId" | "log" | "slackApps"> = { ...liveDeps(), slackApps: liveSlackApps() },
) =>
  serve(deps, contract.writes, {
    tieSlackAccount: async ({ as, workspaceId, caller, body: input }) =>
      replyCreated(await linkSlackAccount(as, workspaceId, caller.userId, input.token)),
    untieSlackAccount: async ({ as, workspaceId, caller }) => {
      await deleteSlackAccounts(as, workspaceId, caller.userId);
      return replyNoContent();
    },
  });
