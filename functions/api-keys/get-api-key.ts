import type { Deps } from "../../core/deps.ts";
import { API_KEY_VERSION } from "../../core/domain/workspace/api-key.ts";
import { liveDeps } from "../../core/live.ts";
import * as apiKeys from "../../core/store/api-keys.ts";
import { found } from "../http/found.ts";
import { endpoint, ok } from "../http/endpoint.ts";
import { member } from "../http/auth.ts";
import { tagged } from "../http/conditional.ts";
import { pathId } from "../http/path.ts";

export const getApiKey = (deps: Pick<Deps, "table" | "log">) =>
  endpoint(deps)
    .use(member(deps))
    .use(pathId("key", "id"))
    .handler(async ({ workspaceId, id }) =>
      tagged(ok(found(await apiKeys.readApiKey(deps, workspaceId, id), "key")), API_KEY_VERSION),
    );

export const handler = getApiKey(liveDeps());
