import type { Deps } from "../../core/deps.ts";
import * as flow from "../../core/flow/list-events.ts";
import { liveDeps } from "../../core/live.ts";
import { readEventFilter, readPage, readSite } from "../http/query.ts";
import { endpoint, ok } from "../http/endpoint.ts";
import { member } from "../http/auth.ts";

export const listEvents = (deps: Pick<Deps, "table" | "log">) =>
  endpoint(deps)
    .use(member(deps, "page", "limit", "site", "state", "outcome", "eventKey", "priority", "from", "to"))
    .handler(async (request) => {
      const { workspaceId } = request;
      const page = readPage(request);
      const site = readSite(request);
      const filter = readEventFilter(request);
      if (filter !== undefined) return ok(await flow.searchEvents(deps, workspaceId, filter, page));
      const body =
        site === undefined
          ? await flow.listEvents(deps, workspaceId, page)
          : await flow.listEventsOfSite(deps, workspaceId, site, page);
      return ok(body);
    });

export const handler = listEvents(liveDeps());
