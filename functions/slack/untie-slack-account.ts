import type { Deps } from "../../core/deps.ts";
import { liveDeps } from "../../core/live.ts";
import { untieSlackAccounts } from "../../core/store/slack.ts";
import { asCaller } from "../http/as-caller.ts";
import { member } from "../http/auth.ts";
import { endpoint, noContent } from "../http/endpoint.ts";

export const untieSlackAccount = (deps: Pick<Deps, "table" | "now" | "newId" | "log">) =>
  endpoint(deps)
    .use(member(deps))
    .handler(async (request) => {
      await untieSlackAccounts(asCaller(deps, request), request.workspaceId, request.caller.userId);
      return noContent();
    });

export const handler = untieSlackAccount(liveDeps());
