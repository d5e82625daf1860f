import type { Deps } from "../../core/deps.ts";
import * as deletion from "../../core/flow/delete-workspace.ts";
import { liveDeps } from "../../core/live.ts";
import { asCaller } from "../http/as-caller.ts";
import { member } from "../http/auth.ts";
import { expectedVersions } from "../http/conditional.ts";
import { endpoint } from "../http/endpoint.ts";
import { deleted } from "../http/found.ts";

export const deleteWorkspace = (deps: Pick<Deps, "table" | "now" | "newId" | "log">) =>
  endpoint(deps)
    .use(member(deps))
    .handler(async (request) => {
      const { workspaceId, caller } = request;
      const name = request.query.get("name") ?? "";
      const asked = { name, by: caller.userId, expected: expectedVersions(request) };
      return deleted(await deletion.deleteWorkspace(asCaller(deps, request), workspaceId, asked), "ws");
    });

export const handler = deleteWorkspace(liveDeps());
