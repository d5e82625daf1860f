import type { Deps } from "../core/deps.ts";
import { liveDeps } from "../core/live.ts";
import { readEventType, toEventTypeView } from "../core/store/events/event-types.ts";
import * as eventTypes from "../core/store/events/event-types.ts";
import { replyOk } from "./http/endpoint.ts";
import { requireFound } from "./http/require-found.ts";
import { replyList } from "./http/pages.ts";
import * as contract from "../interface/contracts/event-types.ts";
import { serve } from "./http/serve.ts";

/** Creates the handler of the requests that read event types. */
export const reads = (deps: Pick<Deps, "table" | "log"> = liveDeps()) =>
  serve(deps, contract.reads, {
    listEventTypes: async (request) =>
      replyList(request, await eventTypes.listEventTypes(deps, request.workspaceId), ({ eventKey }) => eventKey),
    getEventType: async ({ workspaceId, eventKey }) => {
      const type = requireFound(await readEventType(deps, workspaceId, eventKey), "event type");
      return replyOk(toEventTypeView(type));
    },
  });
