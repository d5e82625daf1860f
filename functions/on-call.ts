import type { Deps } from "../core/deps.ts";
import { removeOverride } from "../core/flow/admin/remove-people.ts";
import {
  addOverride,
  findOnCallView,
  isOwnOverride,
  putSchedule,
  readOnCallView,
  mayDeleteOwnOverride,
} from "../core/flow/admin/write-on-call.ts";
import { addAuthor } from "../core/flow/read/authors.ts";
import { readMyShifts } from "../core/flow/read/shifts.ts";
import { readOnCallNow, readOnCallOfAllGroups } from "../core/flow/read/who-is-on-call.ts";
import type { IngestDeps } from "../core/flow/ingest/ingest-event.ts";
import { createShiftNotifier } from "../core/flow/admin/notify-of-shifts.ts";
import { liveDeps } from "../core/live.ts";
import { requireRole } from "./http/auth.ts";
import { addEtag } from "./http/conditional.ts";
import { replyCreated, replyOk } from "./http/endpoint.ts";
import { replyRemoved } from "./http/require-found.ts";
import { replyList } from "./http/pages.ts";
import { readInstant } from "./http/query.ts";
import * as contract from "../interface/contracts/on-call.ts";
import { serve } from "./http/serve.ts";

/** Creates the handler of the requests that read schedules, shifts and who is on call. */
export const reads = (deps: Pick<Deps, "table" | "now" | "log"> = liveDeps()) =>
  serve(deps, contract.reads, {
    getOnCall: async ({ workspaceId, groupId }) => {
      const schedule = await readOnCallView(deps, workspaceId, groupId);
      return addEtag(replyOk(await addAuthor(deps, workspaceId, schedule)), schedule);
    },
    getOnCallNow: async (request) => {
      const { workspaceId, groupId } = request;
      const at = readInstant(request, "at") ?? deps.now();
      return replyOk(await readOnCallNow(deps, workspaceId, groupId, at));
    },
    listOnCallNow: async (request) => {
      const at = readInstant(request, "at") ?? deps.now();
      return replyList(request, await readOnCallOfAllGroups(deps, request.workspaceId, at), ({ groupId }) => groupId);
    },
    listMyShifts: async (request) => {
      const shifts = await readMyShifts(deps, request.workspaceId, request.caller.userId);
      return replyList(request, shifts, ({ groupId, start }) => `${groupId}.${start}`);
    },
  });

/** Creates the handler of the requests that change schedules and overrides. */
export const writes = (deps: IngestDeps = liveDeps("events")) =>
  serve(deps, contract.writes, {
    putOnCall: async ({ as, workspaceId, groupId, change, expected }) => {
      const before = await findOnCallView(deps, workspaceId, groupId);
      const schedule = change(before ?? {}, { derived: ["gaps", "warnings"] });
      const written = await putSchedule(as, workspaceId, groupId, schedule, expected, createShiftNotifier(as));
      return addEtag(replyOk(await addAuthor(deps, workspaceId, written)), written);
    },
    createOverride: async (request) => {
      const { workspaceId, groupId, caller, body: input } = request;
      const inGroup = { ws: workspaceId, groupId, caller: caller.userId };
      await requireRole(deps, request, "manager", {
        action:
          input.userId === caller.userId
            ? "Putting yourself on call in a group of which you are not a member"
            : "Putting somebody else on call",
        isAllowed: () => isOwnOverride(deps, inGroup, input),
      });
      return replyCreated(await addOverride(request.as, workspaceId, groupId, input, createShiftNotifier(request.as)));
    },
    deleteOverride: async (request) => {
      const { workspaceId, groupId, overrideId, caller } = request;
      const inGroup = { ws: workspaceId, groupId, caller: caller.userId };
      await requireRole(deps, request, "manager", {
        action: "Changing other people's shifts",
        isAllowed: () => mayDeleteOwnOverride(deps, inGroup, overrideId),
      });
      return replyRemoved(
        await removeOverride(request.as, workspaceId, groupId, overrideId, createShiftNotifier(request.as)),
        "ovr",
      );
    },
  });
