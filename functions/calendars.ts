import type { Deps } from "../core/deps.ts";
import { notFoundRefusal } from "../core/domain/basics/refusal.ts";
import { renewCalendarUrl } from "../core/flow/read/shifts.ts";
import { liveDeps } from "../core/live.ts";
import { deleteCalendar } from "../core/store/schedules/calendars.ts";
import { replyCreated, replyNoContent } from "./http/endpoint.ts";
import { readBaseUrl } from "./http/request.ts";
import * as contract from "../interface/contracts/calendars.ts";
import { serve } from "./http/serve.ts";

/** Creates the handler of the requests that renew or delete calendar feeds. */
export const writes = (deps: Pick<Deps, "table" | "now" | "newId" | "log"> = liveDeps()) =>
  serve(deps, contract.writes, {
    renewMyCalendar: async (request) => {
      const { workspaceId, caller } = request;
      return replyCreated(
        await renewCalendarUrl(request.as, workspaceId, { kind: "user", id: caller.userId }, readBaseUrl(request)),
      );
    },
    deleteMyCalendar: async ({ as, workspaceId, caller: { userId } }) => {
      if (!(await deleteCalendar(as, workspaceId, userId))) throw notFoundRefusal("calendar");
      return replyNoContent();
    },
    renewGroupCalendar: async (request) => {
      const { workspaceId, groupId } = request;
      return replyCreated(
        await renewCalendarUrl(request.as, workspaceId, { kind: "group", id: groupId }, readBaseUrl(request)),
      );
    },
    deleteGroupCalendar: async ({ as, workspaceId, groupId }) => {
      if (!(await deleteCalendar(as, workspaceId, groupId))) throw notFoundRefusal("calendar");
      return replyNoContent();
    },
  });
