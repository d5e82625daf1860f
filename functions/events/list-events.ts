import type { Deps } from "../../core/deps.ts";
import * as flow from "../../core/flow/list-events.ts";
import { liveDeps } from "../../core/live.ts";
import { requireMember } from "../http/auth.ts";
import { readPage } from "../http/paging.ts";
import { route } from "../http/route.ts";

export const listEvents = (deps: Pick<Deps, "table" | "log">) =>
  route(deps, async (request) => {
    const { workspaceId } = await requireMember(deps, request);
    return { status: 200, body: await flow.listEvents(deps, workspaceId, readPage(request)) };
  });

export const handler = listEvents(liveDeps());
