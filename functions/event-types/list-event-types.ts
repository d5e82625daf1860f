import type { Deps } from "../../core/deps.ts";
import { liveDeps } from "../../core/live.ts";
import * as eventTypes from "../../core/store/event-types.ts";
import { requireMember } from "../http/auth.ts";
import { route } from "../http/route.ts";

export const listEventTypes = (deps: Pick<Deps, "table" | "log">) =>
  route(deps, async (request) => {
    const { workspaceId } = await requireMember(deps, request);
    return { status: 200, body: await eventTypes.listEventTypes(deps, workspaceId) };
  });

export const handler = listEventTypes(liveDeps());
