import type { Deps } from "../../core/deps.ts";
import { liveDeps } from "../../core/live.ts";
import * as members from "../../core/flow/list-members.ts";
import { endpoint, ok } from "../http/endpoint.ts";
import { member } from "../http/auth.ts";

export const listMembers = (deps: Pick<Deps, "table" | "now" | "log">) =>
  endpoint(deps)
    .use(member(deps))
    .handler(async ({ workspaceId }) => ok(await members.listMembers(deps, workspaceId)));

export const handler = listMembers(liveDeps());
