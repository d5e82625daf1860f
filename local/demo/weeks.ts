import type { Deps } from "../../core/deps.ts";
import type { WorkspaceId } from "../../core/domain/basics/ids.ts";
import { mapLimit } from "../../core/domain/basics/in-turns.ts";
import { HOUR_MS, MINUTE_MS, WEEK_MS } from "../../core/domain/basics/units.ts";
import type { PlannedEvent, StoredEvent } from "../../core/domain/event/stored-event.ts";
import type { People } from "../../core/domain/people/people.ts";
import { sumStatisticsAdditions, listStatisticsAdditions } from "../../core/domain/statistics/statistics.ts";
import { loadPeople } from "../../core/store/people/people.ts";
import { readPlannedRules } from "../../core/store/events/plans.ts";
import { DEFAULT_PLAN } from "../../core/domain/basics/limits.ts";
import { addToStatistics } from "../../core/store/events/statistics.ts";

/* Adds statistics of earlier weeks as if similar events had arrived, because creating the events would delay each start. */

const WEEKS_BEFORE = 7;
const AT_ONCE = 10;
/** The statistics are stored as if this run of the hourly job had counted them; real runs have higher numbers. */
const FIRST_RUN = 0;

type WeeksDeps = Pick<Deps, "table" | "now">;

const isPlanned = (event: StoredEvent): event is PlannedEvent => event.plan !== undefined;

/** Returns whether event number `index` also arrived `weeksAgo` weeks earlier. Some weeks have fewer events. */
const didEventArrive = (index: number, weeksAgo: number): boolean =>
  (index * 5 + weeksAgo * 3) % 10 >= (weeksAgo * 3) % 5;

/** Returns the time until event number `index` was acknowledged, longer in earlier weeks; undefined for every ninth event. */
const computeWaitingMs = (index: number, weeksAgo: number): number | undefined =>
  (index + weeksAgo) % 9 === 0 ? undefined : (2 + ((index * 7 + weeksAgo) % 11)) * MINUTE_MS * (1 + weeksAgo / 8);

/** Lists the statistics of an event as if the event had also arrived in earlier weeks. `index`: the event's position. */
const listStatisticsOfEarlierWeeks = async (deps: WeeksDeps, people: People, event: PlannedEvent, index: number) => {
  const rules = await readPlannedRules(deps, event);
  return Array.from({ length: WEEKS_BEFORE }, (_, before) => before + 1)
    .filter((weeksAgo) => didEventArrive(index, weeksAgo))
    .flatMap((weeksAgo) => {
      // Hours differ from week to week, so that pages at night differ, too.
      const at = event.receivedAt - weeksAgo * WEEK_MS - ((weeksAgo * 5) % 7) * HOUR_MS;
      const needsAck = rules.some(({ requiresAck }) => requiresAck);
      const waited = needsAck ? computeWaitingMs(index, weeksAgo) : undefined;
      return listStatisticsAdditions(people, {
        receivedAt: at,
        knownFrom: at,
        isNew: true,
        needsAck,
        notifiedByRule: rules.map(({ rule, priority, requiresAck, recipients }) => ({
          rule: { id: rule.id, name: rule.name },
          priority,
          asks: requiresAck,
          saved: 0,
          told: recipients.map((recipient) => ({ recipient, at, isNew: true })),
        })),
        acknowledgedAt: waited === undefined ? undefined : at + waited,
        resolvedAt: waited === undefined ? undefined : at + waited * 3,
      });
    });
};

/** Adds statistics of earlier weeks with similar events. Must be called before any of the similar events is counted. */
export const addEarlierWeeks = async (
  deps: WeeksDeps,
  ws: WorkspaceId,
  events: readonly StoredEvent[],
): Promise<void> => {
  const people = await loadPeople(deps, ws);
  const planned = events.filter(isPlanned).map((event, index) => ({ event, index }));
  const additions = await mapLimit(planned, AT_ONCE, ({ event, index }) =>
    listStatisticsOfEarlierWeeks(deps, people, event, index),
  );
  await mapLimit(sumStatisticsAdditions(additions.flat()), AT_ONCE, (addition) =>
    addToStatistics(deps, ws, FIRST_RUN, addition, DEFAULT_PLAN.retentionDays),
  );
};
