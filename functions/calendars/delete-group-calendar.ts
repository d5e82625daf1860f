import type { Deps } from "../../core/deps.ts";
import { notFound } from "../../core/domain/basics/refusal.ts";
import { liveDeps } from "../../core/live.ts";
import { deleteCalendar } from "../../core/store/calendars.ts";
import { asCaller } from "../http/as-caller.ts";
import { member } from "../http/auth.ts";
import { endpoint, noContent } from "../http/endpoint.ts";
import { pathId } from "../http/path.ts";

export const deleteGroupCalendar = (deps: Pick<Deps, "table" | "now" | "newId" | "log">) =>
  endpoint(deps)
    .use(member(deps))
    .use(pathId("grp", "groupId"))
    .handler(async (request) => {
      const { workspaceId, groupId } = request;
      if (!(await deleteCalendar(asCaller(deps, request), workspaceId, groupId))) throw notFound("calendar");
      return noContent();
    });

export const handler = deleteGroupCalendar(liveDeps());
