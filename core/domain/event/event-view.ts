import * as v from "valibot";
import { WorkspaceId } from "../basics/ids.ts";
import { EventLink, Sender, type EventContent } from "./event.ts";
import { getCurrentPriority } from "./alert.ts";
import type { Repeats } from "./repeats.ts";
import {
  countHeldByFlapping,
  isFlapping,
  KeptStillBy,
  RuleRef,
  SilencedBy,
  type FrozenPlan,
} from "../delivery/delivery-plan.ts";
import { ShadowView } from "../delivery/shadow-plan.ts";
import { UnreachedGroup } from "../people/recipient.ts";
import { wasNotNeeded } from "../delivery/notification.ts";
import { NotificationView } from "../delivery/notification-view.ts";
import { IncumbentView } from "./incumbent.ts";
import { NoteView } from "./actions.ts";
import { EventState, LifecycleView } from "./lifecycle.ts";
import { NoticeView } from "./notice.ts";
import { Priority } from "../basics/priority.ts";
import { toIso } from "../basics/time.ts";

const Count = v.object({ notifications: v.number() });

export const EventListItem = v.object({
  id: v.string(),
  eventKey: v.string(),
  title: v.string(),
  priority: Priority,
  receivedAt: v.string(),
  state: EventState,
  /** The event that notified people for the group; null if a rule of this event has notified anybody. */
  groupedInto: v.nullable(v.string()),
  _count: Count,
});
export type EventListItem = v.InferOutput<typeof EventListItem>;

/** Details of an open event. `escalation`: the step that fires next unless somebody acknowledges. */
const OpenCard = v.object({
  body: v.string(),
  site: v.nullable(v.string()),
  /** The recipients of the newest notifications. */
  recipients: v.array(v.string()),
  grouped: v.number(),
  escalation: v.nullable(v.object({ at: v.string(), targets: v.array(v.string()) })),
});
export type OpenCard = v.InferOutput<typeof OpenCard>;

/** The optional fields exist only in lists sorted by urgency. */
const ListedEvent = v.object({
  ...EventListItem.entries,
  urgency: v.optional(Priority),
  rules: v.optional(v.array(v.object({ id: v.string(), name: v.string() }))),
  /** Details of an open event, only for the first events of the first page. */
  card: v.optional(v.nullable(OpenCard)),
});
export type ListedEvent = v.InferOutput<typeof ListedEvent>;

export const EventPage = v.object({
  total: v.number(),
  page: v.number(),
  limit: v.number(),
  items: v.array(ListedEvent),
  /** Counts the open events on all pages, in lists sorted by urgency. */
  urgencies: v.optional(v.object({ LOW: v.number(), NORMAL: v.number(), HIGH: v.number(), URGENT: v.number() })),
});
export type EventPage = v.InferOutput<typeof EventPage>;

/** Returns whether a rule notified anybody. Uses the event's number of notifications if the plan is stored in parts. */
const hasRuleNotified = ({ body }: Pick<FrozenPlan, "body">, { notifications }: { notifications: number }): boolean =>
  typeof body === "string" ? notifications > 0 : body.rules.some(({ recipients }) => recipients.length > 0);

export const toEventListItem = (
  event: {
    eventId: string;
    receivedAt: number;
    notifications: number;
    content: Pick<EventContent, "eventKey" | "title" | "priority" | "probe">;
    repeats?: Repeats | undefined;
    plan?: Pick<FrozenPlan, "groups" | "body"> | undefined;
  },
  state: EventState,
): EventListItem => ({
  id: event.eventId,
  eventKey: event.content.eventKey,
  title: event.content.probe === undefined ? event.content.title : `Probe: ${event.content.title}`,
  priority: getCurrentPriority(event),
  receivedAt: toIso(event.receivedAt),
  state,
  groupedInto: event.plan === undefined || hasRuleNotified(event.plan, event) ? null : findLeadingEvent(event.plan),
  _count: { notifications: event.notifications },
});

/**
 * What an event has led to so far. `pending`: the matching or a push is still running. `no_recipient`: rules matched, but there
 * was nobody to notify. `silenced`: a silence suppressed the notifications. `flapping`: the event was held because its alert
 * flaps, and notified nobody. `grouped`: another event of the group notified people. `below_threshold`: too few events arrived.
 * `shadow`: the event arrived during a shadow.
 */
const outcomes = [
  "pending",
  "no_match",
  "no_recipient",
  "delivered",
  "partial",
  "all_failed",
  "silenced",
  "flapping",
  "grouped",
  "below_threshold",
  "shadow",
] as const;
export const Outcome = v.picklist(outcomes);
export type Outcome = v.InferOutput<typeof Outcome>;

type PlanDecisions = Pick<FrozenPlan, "matched" | "silence" | "flapping" | "groups" | "shadow">;

/** Returns the id of the event that notified people for the group of events; null if there is none. */
export const findLeadingEvent = ({ groups = [] }: Pick<FrozenPlan, "groups">): string | null =>
  groups.find(({ into }) => into !== undefined)?.into ?? null;

/** Returns what the event has led to so far. `plan`: undefined until the event is matched. */
export const judgeOutcome = (
  plan: PlanDecisions | undefined,
  notifications: readonly Pick<NotificationView, "status" | "failedReason" | "added">[],
): Outcome => {
  if (plan === undefined) return "pending";
  // A repeat that raised the priority may have notified people although the event itself notified nobody.
  if (!notifications.some(({ added }) => added?.because === "raised")) {
    if (plan.matched === 0) return "no_match";
    if (plan.silence !== undefined) return "silenced";
    if (isFlapping(plan)) return "flapping";
    if (plan.shadow !== undefined && plan.shadow.pages.length > 0) return "shadow";
  }
  // Notifications that were not needed or that only report flapping do not count.
  const wanted = notifications.filter(
    ({ failedReason, added }) => !wasNotNeeded(failedReason) && added?.because !== "flapping",
  );
  if (wanted.length === 0) {
    if (findLeadingEvent(plan) !== null) return "grouped";
    return plan.groups?.some(({ below }) => below !== undefined) === true ? "below_threshold" : "no_recipient";
  }
  if (wanted.some(({ status }) => status === "QUEUED")) return "pending";
  const failed = wanted.filter(({ status }) => status === "FAILED").length;
  if (failed === 0) return "delivered";
  return failed === wanted.length ? "all_failed" : "partial";
};

/** An event that notifies nobody before `until`, because its alert flaps. `recipients`: how many people were not notified. */
export const FlappingView = v.nullable(v.object({ until: v.string(), recipients: v.number() }));
export type FlappingView = v.InferOutput<typeof FlappingView>;

export const toFlappingView = (plan: Pick<FrozenPlan, "flapping"> | undefined): FlappingView =>
  plan?.flapping === undefined ? null : { until: toIso(plan.flapping.until), recipients: countHeldByFlapping(plan) };

/** Optional fields that the sender left out are null. */
export const EventView = v.object({
  ...EventListItem.entries,
  ...LifecycleView.entries,
  workspaceId: WorkspaceId,
  body: v.string(),
  detail: v.nullable(v.string()),
  data: v.nullable(v.record(v.string(), v.unknown())),
  url: v.nullable(v.string()),
  /** The event's `url` and the addresses from `data.links`. */
  links: v.array(EventLink),
  dedupeKey: v.nullable(v.string()),
  resolves: v.nullable(v.string()),
  requiresAck: v.nullable(v.boolean()),
  /** The API key that sent the event, with its name at that time; or the heartbeat that missed a call. */
  sender: v.nullable(Sender),
  matched: v.boolean(),
  outcome: Outcome,
  silence: v.nullable(SilencedBy),
  /** The silence at whose end people were notified of the event; otherwise null. */
  afterSilence: v.nullable(KeptStillBy),
  /** The pages that people would have got, if the event arrived during a shadow; otherwise null. */
  shadow: v.nullable(ShadowView),
  /** What the old service reported about the alert, in the order of arrival, during a trial beside that service. */
  incumbent: v.array(IncumbentView),
  flapping: FlappingView,
  /** How many later events of the group the event suppressed. */
  grouped: v.number(),
  repeats: v.number(),
  repeatedAt: v.nullable(v.string()),
  /** How many events had arrived (`count`) of those required (`of`); null if no threshold held the event back. */
  belowThreshold: v.nullable(v.object({ count: v.number(), of: v.number() })),
  /** The notes, the oldest first. */
  notes: v.array(NoteView),
  /** Why people were notified without a rule; null if rules decided. */
  notice: v.nullable(NoticeView),
  /** The rule that a probe tests; its id is null in an event of the dead man's switch. */
  probe: v.nullable(v.object({ ruleId: v.nullable(v.string()) })),
  /** `unreached`: target groups in which nobody could be notified. */
  matchedRules: v.array(v.object({ ...RuleRef.entries, unreached: v.array(UnreachedGroup) })),
  matchedRulesNotListed: v.number(),
  notifications: v.array(NotificationView),
  notificationsNotListed: v.number(),
});
export type EventView = v.InferOutput<typeof EventView>;
