import type { Deps } from "../../core/deps.ts";
import { OnCallSchedule } from "../../core/domain/people/on-call/index.ts";
import { putSchedule } from "../../core/flow/write-on-call.ts";
import { liveDeps } from "../../core/live.ts";
import { requireMember } from "../http/auth.ts";
import { readBody } from "../http/body.ts";
import { pathId } from "../http/path.ts";
import { route } from "../http/route.ts";

export const putOnCall = (deps: Pick<Deps, "table" | "now" | "log">) =>
  route(deps, async (request) => {
    const { workspaceId } = await requireMember(deps, request);
    const groupId = pathId("grp", request, "groupId");
    const schedule = readBody(OnCallSchedule, request);
    return { status: 200, body: await putSchedule(deps, workspaceId, groupId, schedule) };
  });

export const handler = putOnCall(liveDeps());
