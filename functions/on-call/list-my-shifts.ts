import type { Deps } from "../../core/deps.ts";
import { readMyShifts } from "../../core/flow/shifts.ts";
import { liveDeps } from "../../core/live.ts";
import { member } from "../http/auth.ts";
import { endpoint, ok } from "../http/endpoint.ts";

export const listMyShifts = (deps: Pick<Deps, "table" | "now" | "log">) =>
  endpoint(deps)
    .use(member(deps))
    .handler(async ({ workspaceId, caller: { userId } }) => ok(await readMyShifts(deps, workspaceId, userId)));

export const handler = listMyShifts(liveDeps());
