import type { TimedDeps } from "../../deps.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import { mapLimit } from "../../domain/basics/in-turns.ts";
import { putAndEvictOldest } from "../../domain/basics/put-newest.ts";
import type { Priority } from "../../domain/basics/priority.ts";
import { isNotifiedAfterHold } from "../../domain/delivery/delivery-plan.ts";
import type { StoredEvent } from "../../domain/event/stored-event.ts";
import type { PageLimit } from "../../domain/workspace/page-limit.ts";
import type { Recipient } from "../../domain/people/recipient.ts";
import type { PlannedDelivery } from "../../domain/planning/planned-delivery.ts";
import { makeRecipientsQuiet, makeRecipientsOfRulesQuiet, listPagedUsers } from "../../domain/planning/page-limit.ts";
import { createFirstPagesReader, listUncountedPages, readPageLimitNow, type FirstPages } from "../read/pages.ts";
import { splitSharedKey, shareConcurrentCalls } from "../share-calls.ts";
import { countPages, type PageCount, type PagesItem } from "../../store/delivery/pages.ts";
import type { MakePlan } from "./group-events.ts";

const PEOPLE_AT_ONCE = 8;
const REMEMBERED_PEOPLE = 5_000;

type PageToCount = { ws: WorkspaceId; seq: number; at: number; pageLimit: PageLimit };

/** Creates the function that counts pages of people, and returns the people who have exceeded their page limit. */
const createPageCounter = (deps: TimedDeps) => {
  const memory = new Map<string, PagesItem>();
  const count = shareConcurrentCalls<PageCount, boolean>(async (person, pages) => {
    const [ws, userId = ""] = splitSharedKey(person);
    const { allowed, item } = await countPages(deps, ws, userId, pages, memory.get(person));
    if (item === undefined) memory.delete(person);
    else putAndEvictOldest(memory, person, item, REMEMBERED_PEOPLE);
    return allowed;
  });
  return async (
    { ws, at, pageLimit: { limit } }: Omit<PageToCount, "seq">,
    by: string,
    people: ReadonlyMap<string, Priority>,
    first: FirstPages,
  ): Promise<ReadonlySet<string>> => {
    const tooMany = await mapLimit([...people], PEOPLE_AT_ONCE, async ([userId, priority]) => {
      const page = { one: { by, at, priority }, limit, uncounted: listUncountedPages(first, userId, at) };
      return (await count(`${ws} ${userId}`, page)) ? [] : [userId];
    });
    return new Set(tooMany.flat());
  };
};

/**
 * Creates the function that makes notifications silent for people who were paged too often within ten minutes. The function reads
 * the plans of the ten minutes' first events to count their pages, and stores counts only for later and held events. `makePlan`
 * plans an earlier event that has no plan yet; without it, that event counts as a page for everybody.
 */
export const createPageLimiter = (deps: TimedDeps) => {
  const firstPages = createFirstPagesReader(deps);
  const tooOften = createPageCounter(deps);
  return async (
    event: Pick<StoredEvent, "workspaceId" | "seq" | "valve">,
    delivery: PlannedDelivery,
    makePlan?: MakePlan,
  ): Promise<PlannedDelivery> => {
    const { workspaceId: ws, seq, valve: pageLimit } = event;
    const { plan } = delivery;
    const people = listPagedUsers(plan.rules);
    if (people.size === 0) return delivery;
    const own = pageLimit === undefined ? undefined : { pageLimit, seq };
    const by = isNotifiedAfterHold(plan) ? await readPageLimitNow(deps, ws, plan.at) : own;
    if (by === undefined) return delivery;
    const counted = { ws, at: plan.at, ...by };
    const users = await tooOften(counted, String(seq), people, await firstPages(counted, seq, makePlan));
    if (users.size === 0) return delivery;
    return { ...delivery, plan: { ...plan, rules: makeRecipientsOfRulesQuiet(plan.rules, users, "too_many") } };
  };
};

/** Creates the function that counts an escalation step's pages, and makes the step silent for people above their page limit. */
export const createStepPageLimiter = (deps: TimedDeps) => {
  const firstPages = createFirstPagesReader(deps);
  const tooOften = createPageCounter(deps);
  return async (
    { ws, seq, rule, cursor }: { ws: WorkspaceId; seq: number; rule: number; cursor: number },
    priority: Priority,
    recipients: readonly Recipient[],
    at: number,
  ): Promise<readonly Recipient[]> => {
    const people = listPagedUsers([{ priority, recipients }]);
    if (people.size === 0) return recipients;
    const now = await readPageLimitNow(deps, ws, at);
    if (now === undefined) return recipients;
    const first = await firstPages({ ws, ...now }, undefined, undefined);
    const by = `${seq}.${rule}.${cursor}`;
    return makeRecipientsQuiet(recipients, await tooOften({ ws, at, ...now }, by, people, first), "too_many");
  };
};
export type StepPageLimiter = ReturnType<typeof createStepPageLimiter>;
