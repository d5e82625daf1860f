import type { Deps } from "../deps.ts";
import { toEventListItem, type EventPage } from "../domain/event/event-view.ts";
import { SITE_LIST_DEPTH_MAX } from "../domain/basics/limits.ts";
import { pageOfNumbers } from "../domain/event/number-page.ts";
import { invalid } from "../domain/basics/refusal.ts";
import { readControl } from "../store/control.ts";
import { listEventsBetween, readEventsNumbered } from "../store/events.ts";
import { readLostNumbers } from "../store/sequence.ts";
import { pageOfSite } from "../store/sites.ts";

/** One page of a workspace's events, the newest first. It costs the same on every page, and nothing past the end. */
export const listEvents = async (
  deps: Pick<Deps, "table">,
  ws: string,
  wanted: { page: number; limit: number },
): Promise<EventPage> => {
  const [control, lost] = await Promise.all([readControl(deps, ws), readLostNumbers(deps, ws)]);
  const { total, range } = pageOfNumbers(control?.seq ?? 0, lost.numbers, wanted);
  const events = range === undefined ? [] : await listEventsBetween(deps, ws, range);
  return { total, ...wanted, items: events.map(toEventListItem) };
};

/** The same of the events that are registered to a site. */
export const listEventsOfSite = async (
  deps: Pick<Deps, "table">,
  ws: string,
  site: string,
  wanted: { page: number; limit: number },
): Promise<EventPage> => {
  if (wanted.page * wanted.limit > SITE_LIST_DEPTH_MAX)
    throw invalid([
      {
        field: "page",
        code: "too_large",
        message: `The list of a site reaches back at most ${SITE_LIST_DEPTH_MAX} events.`,
      },
    ]);
  const { total, seqs } = await pageOfSite(deps, ws, site, wanted);
  const events = await readEventsNumbered(deps, ws, seqs);
  return { total, ...wanted, items: events.map(toEventListItem) };
};
