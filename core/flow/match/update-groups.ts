import type { Deps, TimedDeps } from "../../deps.ts";
import { AGAIN, retryChange } from "../../domain/basics/attempt.ts";
import { parseSeq, parsePackId, type WorkspaceId } from "../../domain/basics/ids.ts";
import { addSiteName } from "../../domain/event/event.ts";
import type { PlannedEvent } from "../../domain/event/stored-event.ts";
import type { GroupMessage, EndMessage } from "../../queue/messages.ts";
import { sendMessages } from "../../queue/send.ts";
import { readEvent } from "../../store/events/events.ts";
import { planGroupNotice, countEvents, readCountedEvents, readEventGroup } from "../../store/events/event-groups.ts";
import { readLifecycle } from "../respond/lifecycle.ts";
import { splitSharedKey, shareConcurrentCalls } from "../share-calls.ts";
import { isNotifiedForGroup } from "../notify/group-events.ts";
import { readPlannedPacks } from "../read/read-event.ts";
import { DAY_MS, SECOND_MS } from "../../domain/basics/units.ts";

type NotifyDeps = TimedDeps & { queues: Pick<Deps["queues"], "events"> };

/** The minimum time between two notifications about a group's number of events. */
export const GROUP_NOTIFY_MS = 30 * SECOND_MS;
/** The maximum difference that the code allows between the clocks of two instances. */
const CLOCKS_APART_MS = 1000;
const GROUP_DURATION_MAX_MS = DAY_MS;
/** How many items with counted events are read at most for one notification. An item contains up to 64 events. */
const COUNTED_ITEMS_MAX = 2_000;

type GroupedEvent = { eventId: string; seq: number; receivedAt: number };

/** Schedules a notice of a group's size, unless a scheduled notice will also count `events`. `into`: the group's first event. */
const scheduleGroupNotice = async (
  deps: NotifyDeps,
  { ws, key, into }: { ws: WorkspaceId; key: string; into: string },
  events: readonly GroupedEvent[],
): Promise<void> => {
  let group = await readEventGroup(deps, ws, key);
  await retryChange({ item: `the group of event ${into}`, tries: 20 }, async () => {
    if (group?.first !== into) return undefined;
    const now = deps.now();
    const { tellAt, tellBy } = group;
    const isOwn = tellAt !== undefined && events.some(({ eventId }) => eventId === tellBy);
    if (!isOwn && tellAt !== undefined && tellAt > now + CLOCKS_APART_MS) return undefined;
    const at = isOwn ? tellAt : Math.max(now, (tellAt ?? group.at) + GROUP_NOTIFY_MS);
    if (!isOwn) {
      const claimed = await planGroupNotice(deps, ws, key, group, { at, by: events[0]?.eventId ?? "" });
      ({ group } = claimed);
      if (claimed.kind === "refused") return AGAIN;
    }
    const message: GroupMessage = { kind: "grouped", ws, group: key, first: into };
    await sendMessages(deps.queues.events, [{ message, delayMs: Math.max(0, at - now) }]);
    return undefined;
  });
};

/** Returns a function that counts an event in its groups and schedules notices of their sizes. Idempotent. Batches calls. */
export const createGroupedEventCounter = (deps: NotifyDeps) => {
  const count = shareConcurrentCalls<GroupedEvent, true>(async (line, events) => {
    const [ws, key = "", into = ""] = splitSharedKey(line);
    await countEvents(deps, ws, key, parseSeq(into), events, deps.now() + GROUP_DURATION_MAX_MS);
    await scheduleGroupNotice(deps, { ws, key, into }, events);
    return events.map(() => true);
  });
  return async ({ workspaceId: ws, eventId, seq, receivedAt, plan }: PlannedEvent): Promise<void> => {
    for (const { key, into } of plan.groups ?? [])
      if (into !== undefined) await count(`${ws} ${key} ${into}`, { eventId, seq, receivedAt });
  };
};

/** Counts the events that event `first` suppressed in the group `key`. `isAll`: whether all events are counted. */
const countGroupedEvents = async (
  deps: TimedDeps,
  ws: WorkspaceId,
  key: string,
  first: string,
): Promise<{ count: number; isAll: boolean }> => {
  const range = { from: 0, to: deps.now() + GROUP_DURATION_MAX_MS, limit: COUNTED_ITEMS_MAX };
  const counted = await readCountedEvents(deps, ws, key, parseSeq(first), range);
  return { count: counted.events.length, isAll: counted.items < COUNTED_ITEMS_MAX };
};

/** Builds messages that silently update a group's size in its first event's pushes; none if the event is acknowledged or over. */
export const buildGroupUpdates = async (
  deps: TimedDeps,
  { ws, group: key, first }: GroupMessage,
): Promise<EndMessage[]> => {
  const event = await readEvent(deps, ws, first);
  if (event?.plan === undefined || !isNotifiedForGroup(event.plan, key)) return [];
  const { plan, content } = event;
  const { state } = await readLifecycle(deps, event);
  if (state !== "open" && state !== "none") return [];
  const { count, isAll } = await countGroupedEvents(deps, ws, key, first);
  if (count === 0) return [];
  const title = `(+${count}${isAll ? "" : " or more"}) ${content.title}`;
  const text = addSiteName({ title, body: content.body }, content.data);
  const rule = plan.groups?.find((one) => one.key === key)?.rule;
  const packs = await readPlannedPacks(deps, { ...event, plan });
  return packs
    .filter(({ packId }) => parsePackId(packId)?.rule === rule)
    .map(({ packId }): EndMessage => ({ kind: "over", ws, packId, by: first, state: "grouped", text }));
};
