import type { Deps } from "../../core/deps.ts";
import { liveDeps } from "../../core/live.ts";
import * as apiKeys from "../../core/store/api-keys.ts";
import { requireMember } from "../http/auth.ts";
import { route } from "../http/route.ts";

export const listApiKeys = (deps: Pick<Deps, "table" | "log">) =>
  route(deps, async (request) => {
    const { workspaceId } = await requireMember(deps, request);
    return { status: 200, body: await apiKeys.listApiKeys(deps, workspaceId) };
  });

export const handler = listApiKeys(liveDeps());
