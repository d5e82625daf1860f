import type { Deps } from "../../core/deps.ts";
import { liveDeps } from "../../core/live.ts";
import { readEventType, toEventTypeView } from "../../core/store/event-types.ts";
import { found } from "../http/found.ts";
import { endpoint, ok } from "../http/endpoint.ts";
import { member } from "../http/auth.ts";
import { pathEventKey } from "../http/path.ts";

export const getEventType = (deps: Pick<Deps, "table" | "log">) =>
  endpoint(deps)
    .use(member(deps))
    .use(pathEventKey())
    .handler(async ({ workspaceId, eventKey }) => {
      const type = found(await readEventType(deps, workspaceId, eventKey), "event type");
      return ok(toEventTypeView(type));
    });

export const handler = getEventType(liveDeps());
