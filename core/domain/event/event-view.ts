import * as v from "valibot";
import { WorkspaceId } from "../basics/ids.ts";
import { EventLink, Sender, type EventContent } from "./event.ts";
import { currentPriority } from "./alert.ts";
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
  /** The event that notified people for the group instead of this event; null if there is none or a rule notified anybody. */
  groupedInto: v.nullable(v.string()),
  _count: Count,
});
export type EventListItem = v.InferOutput<typeof EventListItem>;

/** The fields of an open event's card in the inbox. `escalation`: the step that fires next unless somebody acknowledges. */
const OpenCard = v.object({
  body: v.string(),
  site: v.nullable(v.string()),
  /** The recipients' names that the newest notifications contain. */
  recipients: v.array(v.string()),
  grouped: v.number(),
  escalation: v.nullable(v.object({ at: v.string(), targets: v.array(v.string()) })),
});
export type OpenCard = v.InferOutput<typeof OpenCard>;

/** An event in a list. The optional fields are present only if the list is sorted by urgency. */
const ListedEvent = v.object({
  ...EventListItem.entries,
  /** The highest priority of the event's notifications. */
  urgency: v.optional(Priority),
  /** The matching rules that require an acknowledgement. */
  rules: v.optional(v.array(v.object({ id: v.string(), name: v.string() }))),
  /** Set on the first events of the first page; null for all others. */
  card: v.optional(v.nullable(OpenCard)),
});
export type ListedEvent = v.InferOutput<typeof ListedEvent>;

export const EventPage = v.object({
  total: v.number(),
  page: v.number(),
  limit: v.number(),
  items: v.array(ListedEvent),
  /** The number of open events of each priority on all pages; present only if the list is sorted by urgency. */
  urgencies: v.optional(v.object({ LOW: v.number(), NORMAL: v.number(), HIGH: v.number(), URGENT: v.number() })),
});
export type EventPage = v.InferOutput<typeof EventPage>;

/** Returns whether a rule notified anybody. Does not read a plan that is stored in parts, but counts the notifications. */
const hasRuleNotified = ({ body }: Pick<FrozenPlan, "body">, { notifications }: { notifications: number }): boolean =>
  typeof body === "string" ? notifications > 0 : body.rules.some(({ recipients }) => recipients.length > 0);

/** Returns a stored event as a list shows it. */
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
  priority: currentPriority(event),
  receivedAt: toIso(event.receivedAt),
  state,
  groupedInto: event.plan === undefined || hasRuleNotified(event.plan, event) ? null : findLeadingEvent(event.plan),
  _count: { notifications: event.notifications },
});

/**
 * The outcome of an event so far. `pending`: not matched yet, or a push is not sent yet. `no_recipient`: rules matched,
 * but there was nobody to notify. `silenced`: a silence suppressed the notifications. `flapping`: the alert opened and
 * ended repeatedly, so the event was held and has not notified anybody. `grouped`: another event of the group notified
 * people. `below_threshold`: too few events arrived. `shadow`: the event arrived during a shadow.
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

/** The parts of a plan that outcomes need: the number of matched rules, and the reasons for suppressed notifications. */
type Decided = Pick<FrozenPlan, "matched" | "silence" | "flapping" | "groups" | "shadow">;

/** Returns the event that notified people instead of this one, if any. */
export const findLeadingEvent = ({ groups = [] }: Pick<FrozenPlan, "groups">): string | null =>
  groups.find(({ into }) => into !== undefined)?.into ?? null;

/** Returns the outcome of an event. `plan` is undefined until the event has been matched. */
export const judgeOutcome = (
  plan: Decided | undefined,
  notifications: readonly Pick<NotificationView, "status" | "failedReason" | "added">[],
): Outcome => {
  if (plan === undefined) return "pending";
  if (plan.matched === 0) return "no_match";
  if (plan.silence !== undefined) return "silenced";
  if (isFlapping(plan)) return "flapping";
  if (plan.shadow !== undefined && plan.shadow.pages.length > 0) return "shadow";
  // Leaves out notifications that were no longer needed, and notifications that only report the flapping.
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

/** The hold of an event whose alert flaps. `until`: its end. `recipients`: how many people were not notified because of it. */
export const FlappingView = v.nullable(v.object({ until: v.string(), recipients: v.number() }));
export type FlappingView = v.InferOutput<typeof FlappingView>;

export const toFlappingView = (plan: Pick<FrozenPlan, "flapping"> | undefined): FlappingView =>
  plan?.flapping === undefined ? null : { until: toIso(plan.flapping.until), recipients: countHeldByFlapping(plan) };

/** An event as sent, with its outcome. A field that was not sent is null. */
export const EventView = v.object({
  ...EventListItem.entries,
  ...LifecycleView.entries,
  workspaceId: WorkspaceId,
  body: v.string(),
  detail: v.nullable(v.string()),
  data: v.nullable(v.record(v.string(), v.unknown())),
  url: v.nullable(v.string()),
  /** The event's `url` and the addresses in its `data.links`. */
  links: v.array(EventLink),
  dedupeKey: v.nullable(v.string()),
  resolves: v.nullable(v.string()),
  requiresAck: v.nullable(v.boolean()),
  /** The API key that sent the event, with its name at that time, or the heartbeat that the event is about. */
  sender: v.nullable(Sender),
  /** Whether the event has been matched; until then nothing has been decided. */
  matched: v.boolean(),
  outcome: Outcome,
  /** The silence that covered the event, and how many people were not notified because of it; null without a silence. */
  silence: v.nullable(SilencedBy),
  /** The silence that first suppressed the event, if people were notified when the silence ended; null otherwise. */
  afterSilence: v.nullable(KeptStillBy),
  /** The pages that the event would have led to if it arrived during a shadow; null otherwise. */
  shadow: v.nullable(ShadowView),
  /** The old service's actions on the alert during the shadow, as its webhooks reported them, in the order of arrival. */
  incumbent: v.array(IncumbentView),
  /** The hold of the event if its alert flaps; null if it was not held. */
  flapping: FlappingView,
  /** How many later events of the group notified nobody because of this event. */
  grouped: v.number(),
  /** How many repeats of the alert belong to the event, and when the last one arrived. */
  repeats: v.number(),
  repeatedAt: v.nullable(v.string()),
  /** The number of events so far and the threshold of a rule; null if no threshold held the event back. */
  belowThreshold: v.nullable(v.object({ count: v.number(), of: v.number() })),
  /** People's notes about the event, the oldest first. */
  notes: v.array(NoteView),
  /** Why people were notified without a rule; null if rules decided. */
  notice: v.nullable(NoticeView),
  /** Set in a probe: the rule that the probe tests; its id is null in an event of the switch. */
  probe: v.nullable(v.object({ ruleId: v.nullable(v.string()) })),
  /** The rules that matched, each with the target groups in which nobody could be notified and the reasons. */
  matchedRules: v.array(v.object({ ...RuleRef.entries, unreached: v.array(UnreachedGroup) })),
  /** How many rules and notifications did not fit into the answer. */
  matchedRulesNotListed: v.number(),
  notifications: v.array(NotificationView),
  notificationsNotListed: v.number(),
});
export type EventView = v.InferOutput<typeof EventView>;
