import type { Deps } from "../../core/deps.ts";
import { renewAddress } from "../../core/flow/read/shifts.ts";
import { liveDeps } from "../../core/live.ts";
import { asCaller } from "../http/as-caller.ts";
import { member } from "../http/auth.ts";
import { created, endpoint } from "../http/endpoint.ts";
import { pathId } from "../http/path.ts";
import { baseUrlOf } from "../http/request.ts";

export const renewGroupCalendar = (deps: Pick<Deps, "table" | "now" | "newId" | "log">) =>
  endpoint(deps)
    .use(member(deps))
    .use(pathId("grp", "groupId"))
    .handler(async (request) => {
      const { workspaceId, groupId } = request;
      return created(
        await renewAddress(asCaller(deps, request), workspaceId, { kind: "group", id: groupId }, baseUrlOf(request)),
      );
    });

export const handler = renewGroupCalendar(liveDeps());
