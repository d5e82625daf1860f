import type { Deps } from "../../core/deps.ts";
import { explainEvent as explain } from "../../core/flow/read/explain-event.ts";
import { liveDeps } from "../../core/live.ts";
import { found } from "../http/found.ts";
import { readUserId } from "../http/query.ts";
import { endpoint, ok } from "../http/endpoint.ts";
import { member } from "../http/auth.ts";
import { pathId } from "../http/path.ts";

export const explainEvent = (deps: Pick<Deps, "table" | "now" | "log">) =>
  endpoint(deps)
    .use(member(deps, "userId"))
    .use(pathId("evt", "eventId"))
    .handler(async (request) => {
      const { workspaceId, eventId } = request;
      const userId = readUserId(request);
      return ok(found(await explain(deps, workspaceId, eventId, userId), "evt"));
    });

export const handler = explainEvent(liveDeps());
