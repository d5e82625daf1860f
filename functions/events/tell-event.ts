import type { Deps } from "../../core/deps.ts";
import { TellInput } from "../../core/domain/event/deeds.ts";
import { tellMore } from "../../core/flow/life/take-in-hand.ts";
import { liveDeps } from "../../core/live.ts";
import { member } from "../http/auth.ts";
import { body } from "../http/body.ts";
import { endpoint, ok } from "../http/endpoint.ts";
import { pathId } from "../http/path.ts";

export const tellEvent = (
  deps: Pick<Deps, "table" | "now" | "newId" | "log"> & { queues: Pick<Deps["queues"], "escalations"> },
) =>
  endpoint(deps)
    .use(member(deps))
    .use(pathId("evt", "eventId"))
    .use(body(TellInput))
    .handler(async ({ workspaceId, eventId, caller: { userId, name }, body: input }) =>
      ok(await tellMore(deps, workspaceId, eventId, { id: userId, name }, input)),
    );

export const handler = tellEvent(liveDeps("escalations"));
