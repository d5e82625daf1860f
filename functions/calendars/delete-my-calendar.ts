import type { Deps } from "../../core/deps.ts";
import { notFound } from "../../core/domain/basics/refusal.ts";
import { liveDeps } from "../../core/live.ts";
import { deleteCalendar } from "../../core/store/calendars.ts";
import { asCaller } from "../http/as-caller.ts";
import { member } from "../http/auth.ts";
import { endpoint, noContent } from "../http/endpoint.ts";

export const deleteMyCalendar = (deps: Pick<Deps, "table" | "now" | "newId" | "log">) =>
  endpoint(deps)
    .use(member(deps))
    .handler(async (request) => {
      const {
        workspaceId,
        caller: { userId },
      } = request;
      if (!(await deleteCalendar(asCaller(deps, request), workspaceId, userId))) throw notFound("calendar");
      return noContent();
    });

export const handler = deleteMyCalendar(liveDeps());
