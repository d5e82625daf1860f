import type { Deps } from "../../core/deps.ts";
import { liveDeps } from "../../core/live.ts";
import * as apiKeys from "../../core/store/api-keys.ts";
import { found } from "../http/found.ts";
import { endpoint, ok } from "../http/endpoint.ts";
import { member } from "../http/auth.ts";
import { pathId } from "../http/path.ts";

export const getApiKey = (deps: Pick<Deps, "table" | "log">) =>
  endpoint(deps)
    .use(member(deps))
    .use(pathId("key", "id"))
    .handler(async ({ workspaceId, id }) => ok(found(await apiKeys.readApiKey(deps, workspaceId, id), "key")));

export const handler = getApiKey(liveDeps());
