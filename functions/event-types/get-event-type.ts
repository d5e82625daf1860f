import type { Deps } from "../../core/deps.ts";
import { liveDeps } from "../../core/live.ts";
import { readEventType, toEventTypeView } from "../../core/store/event-types.ts";
import { requireMember } from "../http/auth.ts";
import { found } from "../http/found.ts";
import { pathEventKey } from "../http/path.ts";
import { route } from "../http/route.ts";

export const getEventType = (deps: Pick<Deps, "table" | "log">) =>
  route(deps, async (request) => {
    const { workspaceId } = await requireMember(deps, request);
    const key = pathEventKey(request);
    const type = found(await readEventType(deps, workspaceId, key), "event type");
    return { status: 200, body: toEventTypeView(type) };
  });

export const handler = getEventType(liveDeps());
