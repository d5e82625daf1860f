import type { Deps } from "../../core/deps.ts";
import { readEventView } from "../../core/flow/read/read-event.ts";
import { liveDeps } from "../../core/live.ts";
import { found } from "../http/found.ts";
import { endpoint, ok } from "../http/endpoint.ts";
import { member } from "../http/auth.ts";
import { pathId } from "../http/path.ts";

export const getEvent = (deps: Pick<Deps, "table" | "now" | "log">) =>
  endpoint(deps)
    .use(member(deps))
    .use(pathId("evt", "eventId"))
    .handler(async ({ workspaceId, eventId }) => ok(found(await readEventView(deps, workspaceId, eventId), "evt")));

export const handler = getEvent(liveDeps());
