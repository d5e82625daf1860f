import type { Deps } from "../../core/deps.ts";
import { GroupInput } from "../../core/domain/people/group.ts";
import { liveDeps } from "../../core/live.ts";
import * as groups from "../../core/store/groups.ts";
import { requireMember } from "../http/auth.ts";
import { readBody } from "../http/body.ts";
import { route } from "../http/route.ts";

export const createGroup = (deps: Pick<Deps, "table" | "now" | "newId" | "log">) =>
  route(deps, async (request) => {
    const { workspaceId } = await requireMember(deps, request);
    const { name } = readBody(GroupInput, request);
    return { status: 201, body: await groups.createGroup(deps, workspaceId, name) };
  });

export const handler = createGroup(liveDeps());
