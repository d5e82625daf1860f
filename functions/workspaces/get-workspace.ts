import type { Deps } from "../../core/deps.ts";
import { liveDeps } from "../../core/live.ts";
import { readWorkspaceView } from "../../core/flow/read/read-workspace.ts";
import { found } from "../http/found.ts";
import { endpoint, ok } from "../http/endpoint.ts";
import { member } from "../http/auth.ts";
import { tagged } from "../http/conditional.ts";

export const getWorkspace = (deps: Pick<Deps, "table" | "now" | "log">) =>
  endpoint(deps)
    .use(member(deps))
    .handler(async ({ workspaceId }) => {
      const workspace = found(await readWorkspaceView(deps, workspaceId), "ws");
      return tagged(ok(workspace), workspace);
    });

export const handler = getWorkspace(liveDeps());
