import type { Deps } from "../../core/deps.ts";
import { ResolveInput } from "../../core/domain/event/life.ts";
import * as flow from "../../core/flow/life/life.ts";
import type { TellDeps } from "../../core/flow/life/tell-over.ts";
import { liveDeps } from "../../core/live.ts";
import { member } from "../http/auth.ts";
import { body } from "../http/body.ts";
import { endpoint, ok } from "../http/endpoint.ts";
import { pathId } from "../http/path.ts";

export const resolveEvent = (deps: Pick<Deps, "table" | "now" | "log"> & TellDeps) =>
  endpoint(deps)
    .use(member(deps))
    .use(pathId("evt", "eventId"))
    .use(body(ResolveInput))
    .handler(async ({ workspaceId, eventId, caller: { userId, name }, body: { note } }) =>
      ok(await flow.resolveEvent(deps, workspaceId, eventId, { id: userId, name }, note ?? undefined)),
    );

export const handler = resolveEvent(liveDeps("pushes", "webhooks"));
