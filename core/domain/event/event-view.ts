import * as v from "valibot";
import { WorkspaceId } from "../basics/ids.ts";
import { EventLink, Sender, type EventContent } from "./event.ts";
import { priorityNow } from "./alert.ts";
import type { Repeats } from "./repeats.ts";
import {
  heldByFlapping,
  isFlapping,
  KeptStillBy,
  RuleRef,
  SilencedBy,
  type FrozenPlan,
} from "../delivery/delivery-plan.ts";
import { UnreachedGroup } from "../people/recipient.ts";
import { isNotNeeded } from "../delivery/notification.ts";
import { NotificationView } from "../delivery/notification-view.ts";
import { NoteView } from "./actions.ts";
import { EventState, LifecycleView } from "./lifecycle.ts";
import { NoticeView } from "./notice.ts";
import { Priority } from "../basics/priority.ts";
import { toIso } from "../basics/time.ts";

const Count = v.object({ notifications: v.number() });

/** An event in a list. */
export const EventListItem = v.object({
  id: v.string(),
  eventKey: v.string(),
  title: v.string(),
  priority: Priority,
  receivedAt: v.string(),
  state: EventState,
  /** The event of its group that paged in its place; null if none did, or if another rule notified somebody. */
  groupedInto: v.nullable(v.string()),
  _count: Count,
});
export type EventListItem = v.InferOutput<typeof EventListItem>;

/** The fields of an open event's card in the inbox. `escalation`: its next step unless somebody acknowledges. */
const OpenCard = v.object({
  body: v.string(),
  site: v.nullable(v.string()),
  /** The names of its recipients, as far as its newest records have them. */
  recipients: v.array(v.string()),
  grouped: v.number(),
  escalation: v.nullable(v.object({ at: v.string(), targets: v.array(v.string()) })),
});
export type OpenCard = v.InferOutput<typeof OpenCard>;

/** An event of a page. Its own fields are present only by urgency. */
const ListedEvent = v.object({
  ...EventListItem.entries,
  /** The most urgent priority of its notifications. */
  urgency: v.optional(Priority),
  /** The rules that want its acknowledgement. */
  rules: v.optional(v.array(v.object({ id: v.string(), name: v.string() }))),
  /** Of the first events of the first page; null for the others. */
  card: v.optional(v.nullable(OpenCard)),
});
export type ListedEvent = v.InferOutput<typeof ListedEvent>;

export const EventPage = v.object({
  total: v.number(),
  page: v.number(),
  limit: v.number(),
  items: v.array(ListedEvent),
  /** By urgency: how many of all of them have which priority. */
  urgencies: v.optional(v.object({ LOW: v.number(), NORMAL: v.number(), HIGH: v.number(), URGENT: v.number() })),
});
export type EventPage = v.InferOutput<typeof EventPage>;

/** Whether a rule notifies somebody. A plan too large for its event's item nearly always does; then its notifications decide. */
const isNotifiedBy = ({ body }: Pick<FrozenPlan, "body">, { notifications }: { notifications: number }): boolean =>
  typeof body === "string" ? notifications > 0 : body.rules.some(({ recipients }) => recipients.length > 0);

/** The fields of a stored event in a list. */
export const toEventListItem = (
  event: {
    eventId: string;
    receivedAt: number;
    notifications: number;
    content: Pick<EventContent, "eventKey" | "title" | "priority">;
    repeats?: Repeats | undefined;
    plan?: Pick<FrozenPlan, "groups" | "body"> | undefined;
  },
  state: EventState,
): EventListItem => ({
  id: event.eventId,
  eventKey: event.content.eventKey,
  title: event.content.title,
  priority: priorityNow(event),
  receivedAt: toIso(event.receivedAt),
  state,
  groupedInto: event.plan === undefined || isNotifiedBy(event.plan, event) ? null : groupedInto(event.plan),
  _count: { notifications: event.notifications },
});

/**
 * The outcome of an event so far. `pending`: it has not been matched yet, or a push has not been sent yet.
 * `no_recipient`: rules matched, but there was nobody to notify. `silenced`: a silence suppressed its
 * notifications. `flapping`: its alert opened and was resolved again and again, so it was held, and was over or
 * has not notified yet. `grouped`: another event of its group paged. `below_threshold`: too few events had come.
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
] as const;
export const Outcome = v.picklist(outcomes);
export type Outcome = v.InferOutput<typeof Outcome>;

/** The parts of a plan that outcomes need: how many rules matched, and what suppressed notifications. */
type Decided = Pick<FrozenPlan, "matched" | "silence" | "flapping" | "groups">;

/** The event that paged in this one's place, if one did. */
export const groupedInto = ({ groups = [] }: Pick<FrozenPlan, "groups">): string | null =>
  groups.find(({ into }) => into !== undefined)?.into ?? null;

/** `plan` is undefined until the event has been matched. */
export const outcomeOf = (
  plan: Decided | undefined,
  notifications: readonly Pick<NotificationView, "status" | "failedReason" | "added">[],
): Outcome => {
  if (plan === undefined) return "pending";
  if (plan.matched === 0) return "no_match";
  if (plan.silence !== undefined) return "silenced";
  if (isFlapping(plan)) return "flapping";
  // A notification that was not needed any more (acknowledged or resolved before) is no failure, and the line that an
  // alert flaps says only that people are notified later.
  const wanted = notifications.filter(
    ({ failedReason, added }) => !isNotNeeded(failedReason) && added?.because !== "flapping",
  );
  if (wanted.length === 0) {
    if (groupedInto(plan) !== null) return "grouped";
    return plan.groups?.some(({ below }) => below !== undefined) === true ? "below_threshold" : "no_recipient";
  }
  if (wanted.some(({ status }) => status === "QUEUED")) return "pending";
  const failed = wanted.filter(({ status }) => status === "FAILED").length;
  if (failed === 0) return "delivered";
  return failed === wanted.length ? "all_failed" : "partial";
};

/** Until when an event is or was held because its alert flaps; `recipients`: how many people were not notified because of that. */
export const FlappingView = v.nullable(v.object({ until: v.string(), recipients: v.number() }));
export type FlappingView = v.InferOutput<typeof FlappingView>;

export const toFlappingView = (plan: Pick<FrozenPlan, "flapping"> | undefined): FlappingView =>
  plan?.flapping === undefined ? null : { until: toIso(plan.flapping.until), recipients: heldByFlapping(plan) };

/** An event as it was sent, with its outcome. A field that was not sent is null. */
export const EventView = v.object({
  ...EventListItem.entries,
  ...LifecycleView.entries,
  workspaceId: WorkspaceId,
  body: v.string(),
  detail: v.nullable(v.string()),
  data: v.nullable(v.record(v.string(), v.unknown())),
  url: v.nullable(v.string()),
  /** Its url and the addresses in its data's `links`. */
  links: v.array(EventLink),
  dedupeKey: v.nullable(v.string()),
  resolves: v.nullable(v.string()),
  requiresAck: v.nullable(v.boolean()),
  /** The API key that it was sent with, as named then, or the heartbeat that it is about. */
  sender: v.nullable(Sender),
  /** Whether the event has been matched; until then nothing has been decided. */
  matched: v.boolean(),
  outcome: Outcome,
  /** The silence that covered it, and how many people were not notified because of it; null if none did. */
  silence: v.nullable(SilencedBy),
  /** The silence that suppressed it at first, if people were notified when that ended; null otherwise. */
  afterSilence: v.nullable(KeptStillBy),
  /** Until when it was held because its alert flaps, and how many people were not notified; null if it was not. */
  flapping: FlappingView,
  /** How many events came after this one and paged nobody because of it. */
  grouped: v.number(),
  /** How many repeats of its alert belong to it, and when the last one came. */
  repeats: v.number(),
  repeatedAt: v.nullable(v.string()),
  /** How many events there had been of how many that a rule needs; null if none needs more. */
  belowThreshold: v.nullable(v.object({ count: v.number(), of: v.number() })),
  /** The notes of people about it, the oldest first. */
  notes: v.array(NoteView),
  /** Why people were notified without a rule; null for an event that used the rules. */
  notice: v.nullable(NoticeView),
  /** The rules that matched, each with the target groups in which nobody could be notified, and why. */
  matchedRules: v.array(v.object({ ...RuleRef.entries, unreached: v.array(UnreachedGroup) })),
  /** How many entries of each list did not fit into the answer. */
  matchedRulesNotListed: v.number(),
  notifications: v.array(NotificationView),
  notificationsNotListed: v.number(),
});
export type EventView = v.InferOutput<typeof EventView>;
