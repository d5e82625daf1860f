import type { TimedDeps } from "../../deps.ts";
import { isSpread } from "../../domain/basics/ids.ts";
import { readSite } from "../../domain/event/event.ts";
import type { StoredEvent } from "../../domain/event/stored-event.ts";
import { registerSiteEvents, type SiteEvent } from "../../store/events/sites.ts";

type ReceivedEvent = Pick<StoredEvent, "workspaceId" | "eventId" | "seq" | "receivedAt" | "keptUntil" | "content">;

/** Returns a function that stores events' sites. Concurrent events of a site share one write. Idempotent. */
export const createSiteRegister = (deps: TimedDeps) => {
  const gathering = new Map<string, { events: SiteEvent[]; registered: Promise<void> }>();

  return async ({ workspaceId: ws, eventId, seq, receivedAt, keptUntil, content }: ReceivedEvent): Promise<void> => {
    const site = readSite(content.data);
    if (site === undefined) return;
    const spread = isSpread(eventId);
    const key = JSON.stringify([ws, spread, site.site]);
    const open = gathering.get(key);
    if (open !== undefined) {
      open.events.push({ seq, receivedAt, keptUntil });
      return open.registered;
    }
    const events: SiteEvent[] = [{ seq, receivedAt, keptUntil }];
    // The microtask runs after all events of the batch have called the function.
    const registered = Promise.resolve().then(() => {
      gathering.delete(key);
      return registerSiteEvents(deps, ws, { ...site, spread }, events);
    });
    gathering.set(key, { events, registered });
    return registered;
  };
};
export type SiteRegister = ReturnType<typeof createSiteRegister>;
