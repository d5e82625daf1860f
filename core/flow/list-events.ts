import type { Deps } from "../deps.ts";
import { toEventListItem, type EventPage } from "../domain/event-view.ts";
import { pageOfNumbers } from "../domain/number-page.ts";
import { readControl } from "../store/control.ts";
import { listEventsBetween } from "../store/events.ts";
import { readLostNumbers } from "../store/sequence.ts";

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
