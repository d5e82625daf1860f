import type { Deps } from "../../core/deps.ts";
import * as flow from "../../core/flow/list-events.ts";
import { liveDeps } from "../../core/live.ts";
import { requireMember } from "../http/auth.ts";
import { readPage, readSite } from "../http/query.ts";
import { route } from "../http/route.ts";

export const listEvents = (deps: Pick<Deps, "table" | "log">) =>
  route(deps, async (request) => {
    const { workspaceId } = await requireMember(deps, request);
    const page = readPage(request);
    const site = readSite(request);
    const body =
      site === undefined
        ? await flow.listEvents(deps, workspaceId, page)
        : await flow.listEventsOfSite(deps, workspaceId, site, page);
    return { status: 200, body };
  });

export const handler = listEvents(liveDeps());
