import type { Deps } from "../../core/deps.ts";
import { readEventView } from "../../core/flow/read-event.ts";
import { liveDeps } from "../../core/live.ts";
import { requireMember } from "../http/auth.ts";
import { found } from "../http/found.ts";
import { pathId } from "../http/path.ts";
import { route } from "../http/route.ts";

export const getEvent = (deps: Pick<Deps, "table" | "log">) =>
  route(deps, async (request) => {
    const { workspaceId } = await requireMember(deps, request);
    const id = pathId("evt", request, "eventId");
    return { status: 200, body: found(await readEventView(deps, workspaceId, id), "evt") };
  });

export const handler = getEvent(liveDeps());
