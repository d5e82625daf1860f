import type { Deps } from "../../core/deps.ts";
import { SlackAccountInput } from "../../core/domain/connection/slack-request.ts";
import { tieAccount } from "../../core/flow/admin/connections.ts";
import { liveDeps } from "../../core/live.ts";
import { liveSlackApps } from "../../core/live-slack.ts";
import { asCaller } from "../http/as-caller.ts";
import { member } from "../http/auth.ts";
import { body } from "../http/body.ts";
import { created, endpoint } from "../http/endpoint.ts";

export const tieSlackAccount = (deps: Pick<Deps, "table" | "now" | "newId" | "log" | "slackApps">) =>
  endpoint(deps)
    .use(member(deps))
    .use(body(SlackAccountInput))
    .handler(async (request) => {
      const { workspaceId, caller, body: input } = request;
      return created(await tieAccount(asCaller(deps, request), workspaceId, caller.userId, input.token));
    });

export const handler = tieSlackAccount({ ...liveDeps(), slackApps: liveSlackApps() });
