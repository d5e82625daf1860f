import type { Deps } from "../../core/deps.ts";
import { AcknowledgeInput } from "../../core/domain/event/life.ts";
import * as flow from "../../core/flow/life/life.ts";
import type { TellDeps } from "../../core/flow/life/tell-over.ts";
import { liveDeps } from "../../core/live.ts";
import { member } from "../http/auth.ts";
import { body } from "../http/body.ts";
import { endpoint, ok } from "../http/endpoint.ts";

export const acknowledgeEvents = (deps: Pick<Deps, "table" | "now" | "log"> & TellDeps) =>
  endpoint(deps)
    .use(member(deps))
    .use(body(AcknowledgeInput))
    .handler(async ({ workspaceId, caller: { userId, name }, body: { eventIds } }) =>
      ok(await flow.acknowledgeEvents(deps, workspaceId, eventIds, { id: userId, name })),
    );

export const handler = acknowledgeEvents(liveDeps("pushes", "webhooks"));
