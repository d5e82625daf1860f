import type { Deps } from "../../core/deps.ts";
import { liveDeps } from "../../core/live.ts";
import * as apiKeys from "../../core/store/api-keys.ts";
import { deleted } from "../http/found.ts";
import { endpoint } from "../http/endpoint.ts";
import { asCaller } from "../http/as-caller.ts";
import { member } from "../http/auth.ts";
import { expectedVersions } from "../http/conditional.ts";
import { pathId } from "../http/path.ts";

export const deleteApiKey = (deps: Pick<Deps, "table" | "now" | "newId" | "log">) =>
  endpoint(deps)
    .use(member(deps))
    .use(pathId("key", "id"))
    .handler(async (request) => {
      const { workspaceId, id } = request;
      return deleted(
        await apiKeys.deleteApiKey(asCaller(deps, request), workspaceId, id, expectedVersions(request)),
        "key",
      );
    });

export const handler = deleteApiKey(liveDeps());
