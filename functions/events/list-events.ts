import type { Deps } from "../../core/deps.ts";
import * as flow from "../../core/flow/read/list-events.ts";
import { liveDeps } from "../../core/live.ts";
import { readEventFilter, readPage, readSite } from "../http/query.ts";
import { member } from "../http/auth.ts";
import { cursorPage, readCursor } from "../http/cursor.ts";
import { endpoint } from "../http/endpoint.ts";

const toText = ({ page, below, total }: flow.EventPosition): string => `${page} ${below} ${total}`;

const toPosition = (text: string): flow.EventPosition => {
  const [page = 1, below = 1, total = 0] = text.split(" ").map(Number);
  return { page, below, total };
};

export const listEvents = (deps: Pick<Deps, "table" | "now" | "log">) =>
  endpoint(deps)
    .use(
      member(
        deps,
        "page",
        "limit",
        "site",
        "title",
        "state",
        "outcome",
        "eventKey",
        "priority",
        "from",
        "to",
        "order",
        "cursor",
      ),
    )
    .handler(async (request) => {
      const { workspaceId } = request;
      const wanted = readPage(request);
      const site = readSite(request);
      const filter = readEventFilter(request);
      const cursor = await readCursor("events", request);
      const from = cursor === undefined ? undefined : toPosition(cursor);
      const position = { limit: wanted.limit, page: from?.page ?? wanted.page, from };
      const list = () => {
        if (filter !== undefined) return flow.searchEvents(deps, workspaceId, filter, position);
        if (site !== undefined) return flow.listEventsOfSite(deps, workspaceId, site, position);
        return flow.listEvents(deps, workspaceId, position);
      };
      const { next, ...page } = await list();
      return cursorPage("events", request, page, next === undefined ? undefined : toText(next));
    });

export const handler = listEvents(liveDeps());
