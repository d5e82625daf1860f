import type { Deps } from "../../core/deps.ts";
import { liveDeps } from "../../core/live.ts";
import { readWorkspace } from "../../core/store/workspaces.ts";
import { found } from "../http/found.ts";
import { endpoint, ok } from "../http/endpoint.ts";
import { member } from "../http/auth.ts";

export const getWorkspace = (deps: Pick<Deps, "table" | "log">) =>
  endpoint(deps)
    .use(member(deps))
    .handler(async ({ workspaceId }) => ok(found(await readWorkspace(deps, workspaceId), "ws")));

export const handler = getWorkspace(liveDeps());
