import type { Api } from "./api.ts";
import { ignoreFailed } from "./failure.ts";
import type { Answers } from "./types.ts";
import { MINUTE_MS } from "../../core/domain/basics/units.ts";

/* Reads how many events the first event of each group represents, by a request per event, because lists lack this number. */

export type FirstEvent = Answers["EventPage"]["items"][number] & Pick<Answers["Event"], "grouped">;
export type Firsts = ReadonlyMap<string, FirstEvent>;
type ListedEvent = { id: string; eventKey: string; told: number };

const FRESH_MS = 30_000;
const RULES_FRESH_MS = 5 * MINUTE_MS;
/** The maximum number of events that one refresh of a list reads. The next refresh reads further events. */
const AT_ONCE_MAX = 8;
const KEPT_MAX = 500;

const known = new Map<string, { at: number; first: FirstEvent | undefined }>();
let rules: { of: string; at: number; patterns: readonly string[] } | undefined;

/** Returns the event key patterns of the rules with grouping or a threshold. Caches the patterns for five minutes. */
const readGroupingPatterns = async (api: Api, workspaceId: string): Promise<readonly string[]> => {
  if (rules?.of === workspaceId && Date.now() - rules.at < RULES_FRESH_MS) return rules.patterns;
  const patterns = (await api("routing-rules/list-routing-rules", {}))
    .filter(({ groupMinutes, atLeast }) => groupMinutes !== null || atLeast !== null)
    .map(({ eventKey }) => eventKey);
  rules = { of: workspaceId, at: Date.now(), patterns };
  return patterns;
};

/** Returns whether a key fits a pattern: an event key such as `booking.created`, or `booking.*`, or `*`. */
export const matchesPattern = (pattern: string, eventKey: string): boolean =>
  pattern === "*" || pattern === eventKey || (pattern.endsWith(".*") && eventKey.startsWith(pattern.slice(0, -1)));

const readIntoCache = async (api: Api, eventId: string): Promise<void> => {
  let first: FirstEvent | undefined;
  try {
    first = await api("events/get-event", { path: { eventId } });
  } catch (error) {
    // After a failure, the event's row is shown without the number of grouped events.
    ignoreFailed(error);
  }
  known.delete(eventId);
  known.set(eventId, { at: Date.now(), first });
  for (const [oldest] of known) if (known.size > KEPT_MAX) known.delete(oldest);
};

/** Reads the first events of groups: `firstEventIds`, and some of `listed`. Returns all first events read so far, by id. */
export const readFirstEvents = async (
  { api, workspaceId }: { api: Api; workspaceId: string },
  listed: readonly ListedEvent[],
  firstEventIds: readonly string[] = [],
): Promise<Firsts> => {
  const patterns = await (listed.length === 0 ? Promise.resolve([]) : readGroupingPatterns(api, workspaceId)).catch(
    (error: unknown) => {
      ignoreFailed(error);
      return [];
    },
  );
  const paged = listed.filter(
    ({ told, eventKey }) => told > 0 && patterns.some((pattern) => matchesPattern(pattern, eventKey)),
  );
  const ids = [...new Set([...firstEventIds, ...paged.map(({ id }) => id)])];
  const stale = ids.filter((id) => Date.now() - (known.get(id)?.at ?? 0) >= FRESH_MS);
  // The event that was read longest ago is read first, so that every row is updated in turn.
  const next = stale.toSorted((one, other) => (known.get(one)?.at ?? 0) - (known.get(other)?.at ?? 0));
  await Promise.all(next.slice(0, AT_ONCE_MAX).map((id) => readIntoCache(api, id)));
  return new Map(
    ids.flatMap((id) => {
      const first = known.get(id)?.first;
      return first === undefined ? [] : [[id, first] as const];
    }),
  );
};
