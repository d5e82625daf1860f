import type { Deps } from "../../core/deps.ts";
import { explainEvent as explain } from "../../core/flow/explain-event.ts";
import { liveDeps } from "../../core/live.ts";
import { requireMember } from "../http/auth.ts";
import { found } from "../http/found.ts";
import { readUserId } from "../http/query.ts";
import { pathId } from "../http/path.ts";
import { route } from "../http/route.ts";

export const explainEvent = (deps: Pick<Deps, "table" | "log">) =>
  route(deps, async (request) => {
    const { workspaceId } = await requireMember(deps, request);
    const id = pathId("evt", request, "eventId");
    const userId = readUserId(request);
    return { status: 200, body: found(await explain(deps, workspaceId, id, userId), "evt") };
  });

export const handler = explainEvent(liveDeps());
