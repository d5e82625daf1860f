import type { Deps } from "../../core/deps.ts";
import { liveDeps } from "../../core/live.ts";
import * as members from "../../core/flow/read/list-members.ts";
import { endpoint } from "../http/endpoint.ts";
import { listed } from "../http/pages.ts";
import { member } from "../http/auth.ts";

export const listMembers = (deps: Pick<Deps, "table" | "now" | "log">) =>
  endpoint(deps)
    .use(member(deps, "after"))
    .handler(async (request) =>
      listed(request, await members.listMembers(deps, request.workspaceId), ({ userId }) => userId),
    );

export const handler = listMembers(liveDeps());
