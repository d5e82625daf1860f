import type { TableDeps } from "../../deps.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import { mapLimit } from "../../domain/basics/in-turns.ts";
import { putAndEvictOldest } from "../../domain/basics/put-newest.ts";
import type { Priority } from "../../domain/basics/priority.ts";
import { isNotifiedAfterHold, type FrozenPlan } from "../../domain/delivery/delivery-plan.ts";
import {
  listUncountedEventNumbers,
  computePageLimitAfterEvent,
  computePageLimitForEvent,
  type PageLimitState,
  type PageLimit,
} from "../../domain/workspace/page-limit.ts";
import type { PlannedDelivery } from "../../domain/planning/planned-delivery.ts";
import {
  makeRecipientsOfRulesQuiet,
  decidePageSound,
  listPagedUsers,
  type CountedPage,
} from "../../domain/planning/page-limit.ts";
import { readControl } from "../../store/events/control.ts";
import { readEventsNumbered } from "../../store/events/events.ts";
import { readPlannedRules } from "../../store/events/plans.ts";
import { readPages } from "../../store/delivery/pages.ts";

type MakePlan = (ws: WorkspaceId, eventId: string) => Promise<{ plan: FrozenPlan } | undefined>;

type Pages = { at: number; users: ReadonlyMap<string, Priority> };
/** `unknown`: the number of events without a known plan, each of which counts as a page for every person. */
export type FirstPages = { known: readonly Pages[]; unknown: number };

const REMEMBERED_WORKSPACES = 1_000;
/**
 * Creates the function that reads from plans whom the first events of ten minutes paged, because no count includes these pages.
 * Leaves out pages that are counted, events of a shadow, and the event with the number `own`. `makePlan`: makes a missing plan.
 */
export const createFirstPagesReader = (deps: TableDeps) => {
  const memory = new Map<string, Map<number, Pages>>();
  return async (
    { ws, seq, pageLimit }: { ws: WorkspaceId; seq: number; pageLimit: PageLimit },
    own: number | undefined,
    makePlan: MakePlan | undefined,
  ): Promise<FirstPages> => {
    const numbers = listUncountedEventNumbers(pageLimit, seq).filter((number) => number !== own);
    const known = new Map([...(memory.get(ws) ?? [])].filter(([number]) => numbers.includes(number)));
    putAndEvictOldest(memory, ws, known, REMEMBERED_WORKSPACES);
    const missing = numbers.filter((number) => !known.has(number));
    for (const event of await readEventsNumbered(deps, ws, missing, { consistent: true })) {
      const plan = event.plan ?? (await makePlan?.(ws, event.eventId))?.plan;
      if (plan === undefined) continue;
      const pagesNobody = event.valve !== undefined || isNotifiedAfterHold(plan) || plan.shadow !== undefined;
      const rules = pagesNobody ? [] : await readPlannedRules(deps, { ...event, plan });
      known.set(event.seq, { at: plan.at, users: listPagedUsers(rules) });
    }
    // Some event numbers may belong to no event, so events without a known plan use up at most half of the page limit.
    const unknown = Math.min(numbers.length - known.size, Math.floor(pageLimit.limit / 2));
    return { known: [...known.values()], unknown };
  };
};

/** Lists a person's uncounted pages, and a page for each event that may have paged the person. `now`: in milliseconds. */
export const listUncountedPages = (first: FirstPages, userId: string, now: number): Omit<CountedPage, "by">[] => {
  const known = first.known.flatMap((pages) => {
    const priority = pages.users.get(userId);
    return priority === undefined ? [] : [{ at: pages.at, priority }];
  });
  return [...known, ...Array.from({ length: first.unknown }, () => ({ at: now, priority: "LOW" as const }))];
};

/** Reads the page limit at the time `at` and the next event's number. Returns undefined if the workspace has no page limit. */
export const readPageLimitNow = async (
  deps: TableDeps,
  ws: WorkspaceId,
  at: number,
): Promise<{ pageLimit: PageLimit; seq: number } | undefined> => {
  const control = await readControl(deps, ws);
  const pageLimit = control === undefined ? undefined : computePageLimitAfterEvent(control.loud, control.seq, at);
  return control === undefined || pageLimit === undefined ? undefined : { pageLimit, seq: control.seq + 1 };
};

/** The maximum number of recipients whose page limits are checked; all other recipients are treated as within their limit. */
const FORESEEN_PEOPLE_MAX = 500;
const PEOPLE_AT_ONCE = 8;

/** Applies the page limit to a simulated plan, as if no other event paged these people before it. Stores no counts. */
export const predictPageLimit = async (
  deps: TableDeps,
  ws: WorkspaceId,
  { loud, seq: newest }: { loud: PageLimitState; seq: number },
  delivery: PlannedDelivery,
): Promise<PlannedDelivery> => {
  const { plan } = delivery;
  const { at } = plan;
  const seq = newest + 1;
  const people = listPagedUsers(plan.rules);
  const pageLimit = isNotifiedAfterHold(plan)
    ? computePageLimitAfterEvent(loud, newest, at)
    : computePageLimitForEvent(loud, seq, at);
  if (pageLimit === undefined || people.size === 0) return delivery;
  const first = await createFirstPagesReader(deps)({ ws, seq, pageLimit }, seq, undefined);
  const some = [...people].slice(0, FORESEEN_PEOPLE_MAX);
  const tooMany = await mapLimit(some, PEOPLE_AT_ONCE, async ([userId, priority]) => {
    const one = { by: String(seq), at, priority };
    const verdict = decidePageSound(
      await readPages(deps, ws, userId),
      listUncountedPages(first, userId, at),
      one,
      pageLimit.limit,
    );
    return verdict.kind === "quiet" ? [userId] : [];
  });
  return {
    ...delivery,
    plan: { ...plan, rules: makeRecipientsOfRulesQuiet(plan.rules, new Set(tooMany.flat()), "too_many") },
  };
};
