import type { Deps } from "../../core/deps.ts";
import { ApiKeyInput } from "../../core/domain/people/api-key.ts";
import { liveDeps } from "../../core/live.ts";
import * as apiKeys from "../../core/store/api-keys.ts";
import { body } from "../http/body.ts";
import { created, endpoint } from "../http/endpoint.ts";
import { member } from "../http/auth.ts";

export const createApiKey = (deps: Pick<Deps, "table" | "now" | "newId" | "log">) =>
  endpoint(deps)
    .use(member(deps))
    .use(body(ApiKeyInput))
    .handler(async ({ workspaceId, body: { name } }) => created(await apiKeys.createApiKey(deps, workspaceId, name)));

export const handler = createApiKey(liveDeps());
