import type { Deps } from "../../core/deps.ts";
import { OnCallOverrideInput } from "../../core/domain/people/on-call/index.ts";
import { addOverride } from "../../core/flow/write-on-call.ts";
import { liveDeps } from "../../core/live.ts";
import { requireMember } from "../http/auth.ts";
import { readBody } from "../http/body.ts";
import { pathId } from "../http/path.ts";
import { route } from "../http/route.ts";

export const createOverride = (deps: Pick<Deps, "table" | "now" | "newId" | "log">) =>
  route(deps, async (request) => {
    const { workspaceId } = await requireMember(deps, request);
    const groupId = pathId("grp", request, "groupId");
    const input = readBody(OnCallOverrideInput, request);
    return { status: 201, body: await addOverride(deps, workspaceId, groupId, input) };
  });

export const handler = createOverride(liveDeps());
