import type { Deps } from "../core/deps.ts";
import { parseEventId, type WorkspaceId } from "../core/domain/basics/ids.ts";
import { REPEATS, type Marker } from "../core/domain/event/marker.ts";
import { findHoldFaults, compareWithPlan } from "../core/domain/delivery/ledger.ts";
import type { PlannedRule } from "../core/domain/delivery/delivery-plan.ts";
import type { Pack } from "../core/domain/delivery/pack.ts";
import { toIso } from "../core/domain/basics/time.ts";
import type { StoredEvent } from "../core/domain/event/stored-event.ts";
import { readEventPacks, readPlannedPacks } from "../core/flow/read/read-event.ts";
import { readEscalation } from "../core/store/events/escalations.ts";
import { readEvent } from "../core/store/events/events.ts";
import { shards } from "../core/store/keys.ts";
import { listDueEvents, listDueSteps } from "../core/store/events/markers.ts";
import { readPlannedRules } from "../core/store/events/plans.ts";
import { OperatorError } from "./stage.ts";

type TableDeps = Pick<Deps, "table">;

/** A time that is later than any escalation, but has few enough digits for a sort key. */
const ANY_DUE_MS = 9_999_999_999_999;
const MARKERS_MAX = 10_000;

const describeMarkerWork = ({ part, step, term, hand, ring }: Marker): string => {
  if (step !== undefined) return `escalation of rule ${step.rule}, step ${step.cursor}`;
  if (ring !== undefined) return `next notification step of pack ${ring.packId}`;
  if (hand !== undefined) return `handoff by ${hand.userId}`;
  if (term !== undefined) return `${term.work === "ask" ? "question before the " : ""}end of an acknowledgement`;
  if (part === REPEATS) return "repeats of the event";
  return part === undefined ? "event" : `part ${part} of the plan`;
};

const listEventMarkers = async (deps: TableDeps, ws: WorkspaceId, eventId: string) => {
  const found = await Promise.all(
    shards.flatMap((shard) => [
      listDueEvents(deps, shard, ANY_DUE_MS, MARKERS_MAX),
      listDueSteps(deps, shard, ANY_DUE_MS, MARKERS_MAX),
    ]),
  );
  return found
    .flat()
    .flatMap((due) => (due.kind === "readable" ? [due.item] : []))
    .filter((marker) => marker.ws === ws && marker.eventId === eventId)
    .map((marker) => ({
      work: describeMarkerWork(marker),
      since: toIso(marker.since),
      nextTry: toIso(marker.due),
      tries: marker.tries,
    }));
};

const toEventView = (event: StoredEvent) => ({
  id: event.eventId,
  number: event.seq,
  receivedAt: toIso(event.receivedAt),
  eventKey: event.content.eventKey,
  title: event.content.title,
  rulesVersion: event.rulesVersion,
  peopleVersion: event.peopleVersion,
});

const toRuleView = async (
  deps: TableDeps,
  ref: Parameters<typeof readEscalation>[1],
  { rule, recipients, unreached = [], escalation }: PlannedRule,
) => {
  const state = escalation === undefined ? undefined : await readEscalation(deps, ref);
  return {
    ...rule,
    recipients: recipients.map(({ userId }) => userId),
    unreached,
    escalation:
      state === undefined
        ? null
        : {
            policy: escalation?.name,
            acknowledged: state.acknowledged,
            lastStep: state.fired,
            nextAt: state.next === undefined ? null : toIso(state.next.due),
          },
  };
};

const toPackView = ({ packId, rule, priority, lease, recipients }: Pack) => ({
  id: packId,
  rule: rule.id,
  priority,
  heldUntil: lease === undefined || lease.until === 0 ? null : toIso(lease.until),
  notifications: recipients.map(({ notificationId, userId, status, failedReason, attempts }) => ({
    id: notificationId,
    userId,
    status,
    failedReason: failedReason ?? null,
    devices: attempts ?? {},
  })),
});

/** Returns everything that is stored about an event's delivery. Throws an OperatorError if nothing is stored. */
export const readLedger = async (deps: TableDeps, ws: WorkspaceId, eventId: string) => {
  const event = await readEvent(deps, ws, eventId);
  const markers = await listEventMarkers(deps, ws, eventId);
  if (event === undefined && markers.length === 0)
    throw new OperatorError(`The workspace ${ws} has no event ${eventId}.`);
  const seq = parseEventId(eventId)?.seq ?? 0;
  const plan = event?.plan;
  const rules = event === undefined || plan === undefined ? [] : await readPlannedRules(deps, { ...event, plan });
  const packs = event === undefined ? [] : await readEventPacks(deps, event);
  const planned = event === undefined || plan === undefined ? [] : await readPlannedPacks(deps, { ...event, plan });
  const silenced = findHoldFaults({ ...plan, rules });
  const { faults, ...stand } = compareWithPlan(
    planned.map(({ packId, recipients }) => ({ packId, userIds: recipients.map(({ userId }) => userId) })),
    packs,
    { silenced: plan?.silence?.recipients ?? 0, finished: plan !== undefined && markers.length === 0 },
  );
  return {
    event: event === undefined ? null : toEventView(event),
    plannedAt: plan === undefined ? null : toIso(plan.at),
    rules: await Promise.all(rules.map((rule, position) => toRuleView(deps, { ws, seq, rule: position }, rule))),
    packs: packs.map(toPackView),
    /** The number of recipients, each counted once: as told, failed, silenced or pending. `faults`: contradictions. */
    recipients: { ...stand, faults: [...silenced, ...faults] },
    unfinished: markers,
  };
};
