import type { Deps } from "../../core/deps.ts";
import { API_KEY_VERSION, ApiKeyInput } from "../../core/domain/workspace/api-key.ts";
import { liveDeps } from "../../core/live.ts";
import * as apiKeys from "../../core/store/api-keys.ts";
import { body } from "../http/body.ts";
import { created, endpoint } from "../http/endpoint.ts";
import { asCaller } from "../http/as-caller.ts";
import { member } from "../http/auth.ts";
import { tagged } from "../http/conditional.ts";
import { sourceAddress } from "../http/request.ts";

export const createApiKey = (deps: Pick<Deps, "table" | "now" | "newId" | "log">) =>
  endpoint(deps)
    .use(member(deps))
    .use(body(ApiKeyInput))
    .handler(async (request) => {
      const { source } = request.body;
      const made = await apiKeys.createApiKey(
        asCaller(deps, request),
        request.workspaceId,
        request.body,
        request.caller.userId,
      );
      const shown = source === undefined ? made : { ...made, url: sourceAddress(request, source, made.key) };
      return tagged(created(shown), API_KEY_VERSION);
    });

export const handler = createApiKey(liveDeps());
