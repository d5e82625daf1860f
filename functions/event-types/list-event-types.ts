import type { Deps } from "../../core/deps.ts";
import { liveDeps } from "../../core/live.ts";
import * as eventTypes from "../../core/store/event-types.ts";
import { endpoint, ok } from "../http/endpoint.ts";
import { member } from "../http/auth.ts";

export const listEventTypes = (deps: Pick<Deps, "table" | "log">) =>
  endpoint(deps)
    .use(member(deps))
    .handler(async ({ workspaceId }) => ok(await eventTypes.listEventTypes(deps, workspaceId)));

export const handler = listEventTypes(liveDeps());
