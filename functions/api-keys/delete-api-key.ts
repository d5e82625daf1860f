import type { Deps } from "../../core/deps.ts";
import { liveDeps } from "../../core/live.ts";
import * as apiKeys from "../../core/store/api-keys.ts";
import { requireMember } from "../http/auth.ts";
import { deleted } from "../http/found.ts";
import { pathId } from "../http/path.ts";
import { route } from "../http/route.ts";

export const deleteApiKey = (deps: Pick<Deps, "table" | "log">) =>
  route(deps, async (request) => {
    const { workspaceId } = await requireMember(deps, request);
    const id = pathId("key", request, "id");
    return deleted(await apiKeys.deleteApiKey(deps, workspaceId, id), "key");
  });

export const handler = deleteApiKey(liveDeps());
