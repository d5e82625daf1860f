import type { Deps } from "../../core/deps.ts";
import { readMyShifts } from "../../core/flow/read/shifts.ts";
import { liveDeps } from "../../core/live.ts";
import { member } from "../http/auth.ts";
import { listed } from "../http/pages.ts";
import { endpoint } from "../http/endpoint.ts";

export const listMyShifts = (deps: Pick<Deps, "table" | "now" | "log">) =>
  endpoint(deps)
    .use(member(deps, "after"))
    .handler(async (request) => {
      const shifts = await readMyShifts(deps, request.workspaceId, request.caller.userId);
      return listed(request, shifts, ({ groupId, start }) => `${groupId}.${start}`);
    });

export const handler = listMyShifts(liveDeps());
