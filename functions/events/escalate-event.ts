import type { Deps } from "../../core/deps.ts";
import { EscalateInput } from "../../core/domain/event/deeds.ts";
import { escalateNow } from "../../core/flow/life/take-in-hand.ts";
import { liveDeps } from "../../core/live.ts";
import { member } from "../http/auth.ts";
import { body } from "../http/body.ts";
import { endpoint, ok } from "../http/endpoint.ts";
import { pathId } from "../http/path.ts";

export const escalateEvent = (
  deps: Pick<Deps, "table" | "now" | "newId" | "log"> & { queues: Pick<Deps["queues"], "escalations"> },
) =>
  endpoint(deps)
    .use(member(deps))
    .use(pathId("evt", "eventId"))
    .use(body(EscalateInput))
    .handler(async ({ workspaceId, eventId, caller: { userId, name }, body: { note } }) =>
      ok(await escalateNow(deps, workspaceId, eventId, { id: userId, name }, note ?? undefined)),
    );

export const handler = escalateEvent(liveDeps("escalations"));
