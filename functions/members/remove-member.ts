import type { Deps } from "../../core/deps.ts";
import { Refusal } from "../../core/domain/basics/refusal.ts";
import { liveDeps } from "../../core/live.ts";
import * as members from "../../core/store/members.ts";
import { deleted } from "../http/found.ts";
import { endpoint } from "../http/endpoint.ts";
import { member } from "../http/auth.ts";
import { pathId } from "../http/path.ts";

export const removeMember = (deps: Pick<Deps, "table" | "now" | "log">) =>
  endpoint(deps)
    .use(member(deps))
    .use(pathId("usr", "userId"))
    .handler(async ({ workspaceId, userId }) => {
      const outcome = await members.removeMember(deps, workspaceId, userId);
      if (outcome === "last") throw new Refusal("last_member", "The last member of a workspace cannot be removed.");
      return deleted(outcome === "removed", "usr");
    });

export const handler = removeMember(liveDeps());
