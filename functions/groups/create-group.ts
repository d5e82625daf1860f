import type { Deps } from "../../core/deps.ts";
import { GroupInput } from "../../core/domain/people/group.ts";
import { liveDeps } from "../../core/live.ts";
import * as groups from "../../core/store/groups.ts";
import { body } from "../http/body.ts";
import { created, endpoint } from "../http/endpoint.ts";
import { member } from "../http/auth.ts";

export const createGroup = (deps: Pick<Deps, "table" | "now" | "newId" | "log">) =>
  endpoint(deps)
    .use(member(deps))
    .use(body(GroupInput))
    .handler(async ({ workspaceId, body: { name } }) => created(await groups.createGroup(deps, workspaceId, name)));

export const handler = createGroup(liveDeps());
