import type { Deps } from "../../core/deps.ts";
import { liveDeps } from "../../core/live.ts";
import * as apiKeys from "../../core/store/api-keys.ts";
import { endpoint, ok } from "../http/endpoint.ts";
import { member } from "../http/auth.ts";

export const listApiKeys = (deps: Pick<Deps, "table" | "log">) =>
  endpoint(deps)
    .use(member(deps))
    .handler(async ({ workspaceId }) => ok(await apiKeys.listApiKeys(deps, workspaceId)));

export const handler = listApiKeys(liveDeps());
