import type { Deps } from "../../core/deps.ts";
import { OnCallSchedule } from "../../core/domain/people/on-call/index.ts";
import { putSchedule } from "../../core/flow/admin/write-on-call.ts";
import { liveDeps } from "../../core/live.ts";
import { body } from "../http/body.ts";
import { endpoint, ok } from "../http/endpoint.ts";
import { member } from "../http/auth.ts";
import { pathId } from "../http/path.ts";

export const putOnCall = (deps: Pick<Deps, "table" | "now" | "log">) =>
  endpoint(deps)
    .use(member(deps))
    .use(pathId("grp", "groupId"))
    .use(body(OnCallSchedule))
    .handler(async ({ workspaceId, groupId, body: schedule }) =>
      ok(await putSchedule(deps, workspaceId, groupId, schedule)),
    );

export const handler = putOnCall(liveDeps());
