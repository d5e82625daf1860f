import type { Deps } from "../../core/deps.ts";
import { SnoozeInput } from "../../core/domain/event/deeds.ts";
import { snooze } from "../../core/flow/life/take-in-hand.ts";
import type { TellDeps } from "../../core/flow/life/tell-over.ts";
import { liveDeps } from "../../core/live.ts";
import { member } from "../http/auth.ts";
import { body } from "../http/body.ts";
import { endpoint, ok } from "../http/endpoint.ts";
import { pathId } from "../http/path.ts";

export const snoozeEvent = (deps: Pick<Deps, "table" | "now" | "newId" | "log"> & TellDeps) =>
  endpoint(deps)
    .use(member(deps))
    .use(pathId("evt", "eventId"))
    .use(body(SnoozeInput))
    .handler(async ({ workspaceId, eventId, caller: { userId, name }, body: input }) =>
      ok(await snooze(deps, workspaceId, eventId, { id: userId, name }, input)),
    );

export const handler = snoozeEvent(liveDeps("pushes", "webhooks"));
