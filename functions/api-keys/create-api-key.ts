import type { Deps } from "../../core/deps.ts";
import { ApiKeyInput } from "../../core/domain/people/api-key.ts";
import { liveDeps } from "../../core/live.ts";
import * as apiKeys from "../../core/store/api-keys.ts";
import { requireMember } from "../http/auth.ts";
import { readBody } from "../http/body.ts";
import { route } from "../http/route.ts";

export const createApiKey = (deps: Pick<Deps, "table" | "now" | "newId" | "log">) =>
  route(deps, async (request) => {
    const { workspaceId } = await requireMember(deps, request);
    const { name } = readBody(ApiKeyInput, request);
    return { status: 201, body: await apiKeys.createApiKey(deps, workspaceId, name) };
  });

export const handler = createApiKey(liveDeps());
