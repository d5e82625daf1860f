import type { Deps } from "../../core/deps.ts";
import { isId } from "../../core/domain/basics/ids.ts";
import { invalid, lastOwner } from "../../core/domain/basics/refusal.ts";
import { RoleInput } from "../../core/domain/people/member.ts";
import { readMemberView } from "../../core/flow/read/list-members.ts";
import { liveDeps } from "../../core/live.ts";
import { setRole } from "../../core/store/members.ts";
import { asCaller } from "../http/as-caller.ts";
import { member } from "../http/auth.ts";
import { body } from "../http/body.ts";
import { endpoint, ok } from "../http/endpoint.ts";
import { found } from "../http/found.ts";
import { pathMemberId } from "../http/path.ts";

/** Who owns a workspace decides who is in it, which no program should. */
const NO_OWNER = { field: "role", code: "invalid", message: "A machine is never an owner." };

export const updateMember = (deps: Pick<Deps, "table" | "now" | "newId" | "log">) =>
  endpoint(deps)
    .use(member(deps))
    .use(pathMemberId())
    .use(body(RoleInput))
    .handler(async (request) => {
      const {
        workspaceId,
        userId,
        body: { role },
      } = request;
      if (role === "owner" && isId("mch", userId)) throw invalid([NO_OWNER]);
      const outcome = await setRole(asCaller(deps, request), workspaceId, userId, role);
      if (outcome === "last_owner") throw lastOwner();
      return ok(found(outcome === "done" ? await readMemberView(deps, workspaceId, userId) : undefined, "usr"));
    });

export const handler = updateMember(liveDeps());
