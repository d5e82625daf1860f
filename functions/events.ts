import type { Deps } from "../core/deps.ts";
import * as life from "../core/flow/respond/lifecycle.ts";
import { escalateNow, snoozeUntil, notifyMorePeople } from "../core/flow/respond/respond.ts";
import type { NotifyDeps } from "../core/flow/respond/notify-end.ts";
import { writeNote } from "../core/flow/respond/write-note.ts";
import { explainEvent as explain } from "../core/flow/read/explain-event.ts";
import * as flow from "../core/flow/read/list-events.ts";
import { listNotificationsAfter, readEventView } from "../core/flow/read/read-event.ts";
import { liveDeps } from "../core/live.ts";
import { replyCursorPage, readCursor } from "./http/cursor.ts";
import { replyCreated, replyOk } from "./http/endpoint.ts";
import { requireFound } from "./http/require-found.ts";
import { requirePage, replyPage, readAfterParameter } from "./http/pages.ts";
import { readEventFilter, readPage, readSite, readUserId } from "./http/query.ts";
import * as contract from "../interface/contracts/events.ts";
import { serve } from "./http/serve.ts";

const formatPosition = ({ page, below, total }: flow.EventPosition): string => `${page} ${below} ${total}`;

const parsePosition = (text: string): flow.EventPosition => {
  const [page = 1, below = 1, total = 0] = text.split(" ").map(Number);
  return { page, below, total };
};

/** Creates the handler of the requests that read or explain events. */
export const reads = (deps: Pick<Deps, "table" | "now" | "log"> = liveDeps()) =>
  serve(deps, contract.reads, {
    listEvents: async (request) => {
      const { workspaceId, caller } = request;
      const wanted = readPage(request);
      const site = readSite(request);
      const filter = readEventFilter(request);
      const cursor = await readCursor("events", request);
      const from = cursor === undefined ? undefined : parsePosition(cursor);
      const position = { limit: wanted.limit, page: from?.page ?? wanted.page, from };
      const listRequestedEvents = () => {
        if (filter !== undefined) {
          const user = filter.user === undefined ? undefined : caller.userId;
          return flow.searchEvents(deps, workspaceId, { ...filter, user }, position);
        }
        if (site !== undefined) return flow.listEventsOfSite(deps, workspaceId, site, position);
        return flow.listEvents(deps, workspaceId, position);
      };
      const { next, ...page } = await listRequestedEvents();
      return replyCursorPage("events", request, page, next === undefined ? undefined : formatPosition(next));
    },
    getEvent: async ({ workspaceId, eventId }) =>
      replyOk(requireFound(await readEventView(deps, workspaceId, eventId), "evt")),
    listEventNotifications: async (request) => {
      const { workspaceId, eventId } = request;
      const answer = requireFound(
        await listNotificationsAfter(deps, workspaceId, eventId, readAfterParameter(request)),
        "evt",
      );
      const { notifications, more } = requirePage(answer);
      return replyPage(request, notifications, more ? notifications.at(-1)?.id : undefined);
    },
    explainEvent: async (request) => {
      const { workspaceId, eventId } = request;
      const userId = readUserId(request);
      return replyOk(requireFound(await explain(deps, workspaceId, eventId, userId), "evt"));
    },
  });

/** Creates the handler of the requests that respond to events. */
export const writes = (
  deps: Pick<Deps, "table" | "now" | "newId" | "log"> &
    NotifyDeps & { queues: Pick<Deps["queues"], "escalations"> } = liveDeps("pushes", "webhooks", "escalations"),
) =>
  serve(deps, contract.writes, {
    acknowledgeEvents: async ({ workspaceId, caller: { userId, name }, body: { eventIds } }) =>
      replyOk(await life.acknowledgeEvents(deps, workspaceId, eventIds, { id: userId, name })),
    resolveEvent: async ({ workspaceId, eventId, caller: { userId, name }, body: { note } }) =>
      replyOk(await life.resolveEvent(deps, workspaceId, eventId, { id: userId, name }, note ?? undefined)),
    snoozeEvent: async ({ workspaceId, eventId, caller: { userId, name }, body: input }) =>
      replyOk(await snoozeUntil(deps, workspaceId, eventId, { id: userId, name }, input)),
    escalateEvent: async ({ workspaceId, eventId, caller: { userId, name }, body: { note } }) =>
      replyOk(await escalateNow(deps, workspaceId, eventId, { id: userId, name }, note ?? undefined)),
    tellEvent: async ({ workspaceId, eventId, caller: { userId, name }, body: input }) =>
      replyOk(await notifyMorePeople(deps, workspaceId, eventId, { id: userId, name }, input)),
    noteEvent: async ({ workspaceId, eventId, caller: { userId, name }, body: { text } }) =>
      replyCreated(await writeNote(deps, workspaceId, eventId, { id: userId, name }, text)),
  });
