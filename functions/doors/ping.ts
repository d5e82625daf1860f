import type { Deps } from "../../core/deps.ts";
import { liveDeps } from "../../core/live.ts";
import { readControlForKey } from "../../core/store/events/control.ts";
import { readWorkspace } from "../../core/store/people/read-workspace.ts";
import { refuseApiKey } from "../../core/domain/workspace/api-key.ts";
import { readApiKey } from "../http/auth.ts";
import { createPipeline, replyOk } from "../http/endpoint.ts";

/** Creates the handler of `GET /v1/events/ping`, which confirms that an API key is valid, and returns its workspace. */
export const createPing = (deps: Pick<Deps, "table" | "now" | "log">) =>
  createPipeline(deps).handler(async (request) => {
    const { workspaceId, hash } = await readApiKey(deps, request);
    const control = await readControlForKey(deps, workspaceId, hash);
    const workspace = control === undefined ? undefined : await readWorkspace(deps, workspaceId);
    if (workspace === undefined) throw refuseApiKey();
    return replyOk({ ok: true, workspaceId, workspaceName: workspace.name });
  });

export const handler = createPing(liveDeps());
