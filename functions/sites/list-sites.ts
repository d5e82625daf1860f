import type { Deps } from "../../core/deps.ts";
import { liveDeps } from "../../core/live.ts";
import * as sites from "../../core/store/sites.ts";
import { requireMember } from "../http/auth.ts";
import { route } from "../http/route.ts";

export const listSites = (deps: Pick<Deps, "table" | "log">) =>
  route(deps, async (request) => {
    const { workspaceId } = await requireMember(deps, request);
    return { status: 200, body: await sites.listSites(deps, workspaceId) };
  });

export const handler = listSites(liveDeps());
