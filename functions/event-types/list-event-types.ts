import type { Deps } from "../../core/deps.ts";
import { liveDeps } from "../../core/live.ts";
import * as eventTypes from "../../core/store/event-types.ts";
import { endpoint } from "../http/endpoint.ts";
import { listed } from "../http/pages.ts";
import { member } from "../http/auth.ts";

export const listEventTypes = (deps: Pick<Deps, "table" | "log">) =>
  endpoint(deps)
    .use(member(deps, "after"))
    .handler(async (request) =>
      listed(request, await eventTypes.listEventTypes(deps, request.workspaceId), ({ eventKey }) => eventKey),
    );

export const handler = listEventTypes(liveDeps());
