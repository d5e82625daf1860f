import type { TimedDeps } from "../../deps.ts";
import { isSpread, type WorkspaceId } from "../../domain/basics/ids.ts";
import { mapLimit } from "../../domain/basics/in-turns.ts";
import { EVENTS_SEARCHED_MAX } from "../../domain/basics/limits.ts";
import type { Priority } from "../../domain/basics/priority.ts";
import { listPackIds } from "../../domain/delivery/delivery-plan.ts";
import type { Pack } from "../../domain/delivery/pack.ts";
import type { Escalation } from "../../domain/escalation/escalation.ts";
import { toEventListItem, type EventPage, type ListedEvent, type OpenCard } from "../../domain/event/event-view.ts";
import { readSite } from "../../domain/event/event.ts";
import type { StoredEvent } from "../../domain/event/stored-event.ts";
import type { People } from "../../domain/people/people.ts";
import { listEscalations } from "../../store/events/escalations.ts";
import { readEventsNumbered } from "../../store/events/events.ts";
import {
  sortByUrgency,
  listOpenEvents,
  type OpenEvent,
  chooseEffectiveUrgency,
} from "../../store/events/open-events.ts";
import { loadPeople } from "../../store/people/people.ts";
import { readPacks } from "../../store/delivery/packs.ts";
import { readPlannedRules } from "../../store/events/plans.ts";
import { findNextStep } from "./explain-event.ts";
import { mayHaveNotified, listPackIdsOfOpenEvent } from "./list-notifications.ts";
import { countGrouped } from "./read-event.ts";

const READ_AT_ONCE = 10;
/** The maximum number of events that the console shows as cards; the console shows all other events as rows. */
const CARDS_MAX = 20;

/** Returns the ids of the first packs of an event's rules; none if the list of open events does not name the rules. */
const listFirstPackIds = ({ eventId, seq, told }: OpenEvent): string[] =>
  told === undefined
    ? []
    : told.rules.flatMap(([rule]) =>
        listPackIds({ at: told.at, seq, spread: isSpread(eventId), rule, cursor: 0, pack: 0 }, 1),
      );

/** Returns a function that says whether a pack waits for the user's acknowledgement. */
const waitsForUser =
  (user: string) =>
  ({ recipients }: Pack): boolean =>
    recipients.some(({ userId, status }) => userId === user && status !== "ACKNOWLEDGED");

/** Reads the packs that wait for an acknowledgement, by event. With `user`, reads only packs that wait for the user. */
const readPacksWaitingForAck = async (
  deps: TimedDeps,
  ws: WorkspaceId,
  rows: readonly OpenEvent[],
  user: string | undefined,
): Promise<Map<string, Pack[]>> => {
  const ids =
    user === undefined
      ? rows.map(listFirstPackIds)
      : await mapLimit(rows, READ_AT_ONCE, (row) => listPackIdsOfOpenEvent(deps, ws, row, user));
  const packs = await readPacks(deps, ws, ids.flat(), { consistent: false });
  const asking = packs.filter((pack) => pack.requiresAck && (user === undefined || waitsForUser(user)(pack)));
  return Map.groupBy(asking, ({ eventId }) => eventId);
};

const dropItemsWithRepeatedIds = <One extends { id: string }>(items: readonly One[]): One[] => [
  ...new Map(items.map((item) => [item.id, item] as const)).values(),
];

/** Reads what the console's card shows of an open event. `packs`: the packs whose recipients the card names. */
const readCard = async (
  deps: TimedDeps,
  event: StoredEvent,
  packs: readonly Pack[],
  readPeople: () => Promise<People>,
): Promise<OpenCard> => {
  const { workspaceId: ws, seq, content, plan } = event;
  const recipients = packs.flatMap((pack) => pack.recipients.map(({ userId, name }) => name || userId));
  const card = { body: content.body, site: readSite(content.data)?.name ?? null, recipients: [...new Set(recipients)] };
  if (plan === undefined) return { ...card, grouped: 0, escalation: null };
  const planned = await readPlannedRules(deps, { ...event, plan });
  const escalations = planned.some(({ escalation }) => escalation !== undefined)
    ? await listEscalations(deps, { ws, seq }, { from: 0, to: plan.matched })
    : new Map<number, Escalation>();
  const names = escalations.size === 0 ? undefined : await readPeople();
  const [next] = planned
    .flatMap((rule, index) => {
      const escalation = escalations.get(index);
      return escalation === undefined || names === undefined ? [] : (findNextStep(rule, escalation, names) ?? []);
    })
    .toSorted((one, other) => (one.at < other.at ? -1 : 1));
  return {
    ...card,
    grouped: await countGrouped(deps, { ...event, plan }),
    escalation: next === undefined ? null : { at: next.at, targets: next.targets.flatMap(({ name }) => name ?? []) },
  };
};

/** Returns the cards of open events, by event id. `asking`: the packs that wait for an acknowledgement, by event id. */
const readCards = async (
  deps: TimedDeps,
  ws: WorkspaceId,
  rows: readonly OpenEvent[],
  asking: ReadonlyMap<string, Pack[]>,
): Promise<Map<string, OpenCard>> => {
  const events = await readEventsNumbered(
    deps,
    ws,
    rows.map(({ seq }) => seq),
  );
  let loading: Promise<People> | undefined;
  const readPeople = (): Promise<People> => (loading ??= loadPeople(deps, ws));
  const cards = await mapLimit(
    events,
    READ_AT_ONCE,
    async (event) => [event.eventId, await readCard(deps, event, asking.get(event.eventId) ?? [], readPeople)] as const,
  );
  return new Map(cards);
};

const countByUrgency = (rows: readonly OpenEvent[]): Record<Priority, number> => {
  const counts = { LOW: 0, NORMAL: 0, HIGH: 0, URGENT: 0 };
  for (const row of rows) counts[chooseEffectiveUrgency(row)] += 1;
  return counts;
};

/** Lists a page of open events, most urgent first, then newest. `user`: lists only events that wait for the user. */
export const listByUrgency = async (
  deps: TimedDeps,
  ws: WorkspaceId,
  { fits, user }: { fits: (row: OpenEvent) => boolean; user: string | undefined },
  { page, limit }: { page: number; limit: number },
): Promise<EventPage> => {
  const rows = await listOpenEvents(deps, ws, { limit: EVENTS_SEARCHED_MAX });
  const near = sortByUrgency(rows.filter((row) => fits(row) && mayHaveNotified(user)(row)));
  const own = user === undefined ? undefined : await readPacksWaitingForAck(deps, ws, near, user);
  const found = own === undefined ? near : near.filter(({ eventId }) => own.has(eventId));
  const shown = found.slice((page - 1) * limit, page * limit);
  const asking = own ?? (await readPacksWaitingForAck(deps, ws, shown, undefined));
  const cards = await readCards(deps, ws, page === 1 ? shown.slice(0, CARDS_MAX) : [], asking);
  const items = shown.map((row): ListedEvent => {
    const packs = asking.get(row.eventId) ?? [];
    return {
      ...toEventListItem(row, "open"),
      urgency: chooseEffectiveUrgency(row),
      rules: dropItemsWithRepeatedIds(packs.map(({ rule: { id, name } }) => ({ id, name }))),
      card: cards.get(row.eventId) ?? null,
    };
  });
  return { total: found.length, page, limit, items, urgencies: countByUrgency(found) };
};
