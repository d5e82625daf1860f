import type { Deps } from "../../core/deps.ts";
import { readMemberDetail } from "../../core/flow/read/read-member.ts";
import { liveDeps } from "../../core/live.ts";
import { member } from "../http/auth.ts";
import { endpoint, ok } from "../http/endpoint.ts";
import { found } from "../http/found.ts";
import { pathMemberId } from "../http/path.ts";

export const getMember = (deps: Pick<Deps, "table" | "now" | "log">) =>
  endpoint(deps)
    .use(member(deps))
    .use(pathMemberId())
    .handler(async ({ workspaceId, userId }) => ok(found(await readMemberDetail(deps, workspaceId, userId), "usr")));

export const handler = getMember(liveDeps());
