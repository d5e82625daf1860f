import type { Deps } from "../../core/deps.ts";
import * as invitations from "../../core/flow/read/list-invitations.ts";
import { liveDeps } from "../../core/live.ts";
import { member } from "../http/auth.ts";
import { endpoint } from "../http/endpoint.ts";
import { listed } from "../http/pages.ts";

export const listInvitations = (deps: Pick<Deps, "table" | "now" | "log">) =>
  endpoint(deps)
    .use(member(deps, "after"))
    .handler(async (request) =>
      listed(request, await invitations.listInvitations(deps, request.workspaceId), ({ id }) => id),
    );

export const handler = listInvitations(liveDeps());
