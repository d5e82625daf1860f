import type { Deps } from "../core/deps.ts";
import { API_KEY_VERSION } from "../core/domain/workspace/api-key.ts";
import { liveDeps } from "../core/live.ts";
import * as apiKeys from "../core/store/people/api-keys.ts";
import { addEtag } from "./http/conditional.ts";
import { replyCreated, replyOk } from "./http/endpoint.ts";
import { replyDeleted, requireFound } from "./http/require-found.ts";
import { createSourceUrl } from "./http/request.ts";
import * as contract from "../interface/contracts/api-keys.ts";
import { serve } from "./http/serve.ts";

/** Creates the handler of the requests that read API keys. */
export const reads = (deps: Pick<Deps, "table" | "log"> = liveDeps()) =>
  serve(deps, contract.reads, {
    listApiKeys: async ({ workspaceId }) => replyOk(await apiKeys.listApiKeys(deps, workspaceId)),
    getApiKey: async ({ workspaceId, id }) =>
      addEtag(replyOk(requireFound(await apiKeys.readApiKey(deps, workspaceId, id), "key")), API_KEY_VERSION),
  });

/** Creates the handler of the requests that create or delete API keys. */
export const writes = (deps: Pick<Deps, "table" | "now" | "newId" | "log"> = liveDeps()) =>
  serve(deps, contract.writes, {
    createApiKey: async (request) => {
      const { source } = request.body;
      const made = await apiKeys.createApiKey(request.as, request.workspaceId, request.body, request.caller.userId);
      const shown = source === undefined ? made : { ...made, url: createSourceUrl(request, source, made.key) };
      return addEtag(replyCreated(shown), API_KEY_VERSION);
    },
    deleteApiKey: async ({ as, workspaceId, id, expected }) =>
      replyDeleted(await apiKeys.deleteApiKey(as, workspaceId, id, expected), "key"),
  });
