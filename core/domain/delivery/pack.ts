import * as v from "valibot";
import { Priority } from "../basics/priority.ts";
import { Quiet, RecipientReason } from "../people/recipient.ts";
import { ScheduledStep } from "../people/notification-rules.ts";
import { scheduleRecipientSteps, type People } from "../people/people.ts";
import { formatNotificationId, parsePackId, type WorkspaceId } from "../basics/ids.ts";
import { Added } from "./added.ts";
import { isHeldByGroup, RuleRef, type FrozenPlan, type PlannedPack } from "./delivery-plan.ts";
import type { NotificationStatus } from "../basics/notification-status.ts";
import { isNothingLeftToSend, isFinal, type DeviceAttempt } from "./notification.ts";

export const PackHead = v.object({
  eventId: v.string(),
  eventKey: v.string(),
  title: v.string(),
  priority: Priority,
  priorityFrom: v.picklist(["event", "rule"]),
  requiresAck: v.boolean(),
  escalates: v.boolean(),
  /** How long an acknowledgement lasts, in minutes; absent if acknowledgements are permanent. */
  ackMinutes: v.optional(v.number()),
  followed: v.optional(v.literal(true)),
  /** The key of the group of events, if this event notifies people for the group. */
  group: v.optional(v.string()),
  rule: RuleRef,
  added: v.optional(Added),
  recipients: v.array(
    v.object({
      userId: v.string(),
      name: v.string(),
      email: v.string(),
      reason: RecipientReason,
      quiet: v.optional(Quiet),
      /** The person's own steps in order of time; absent if every device is notified at once. */
      rings: v.optional(v.array(ScheduledStep)),
    }),
  ),
  /** The number of the rule's or step's packs. Only the first pack has this field. */
  packs: v.optional(v.number()),
});
export type PackHead = v.InferOutput<typeof PackHead>;

export type PackRecipient = {
  notificationId: string;
  userId: string;
  name: string;
  email: string;
  reason: RecipientReason;
  /** Why the push is silent; undefined if it has a sound. */
  quiet?: Quiet | undefined;
  /** The person's own steps; undefined if every device is notified at once. */
  rings?: readonly ScheduledStep[] | undefined;
  status: NotificationStatus;
  sentAt: number | undefined;
  acknowledgedAt: number | undefined;
  /** The person who acknowledged the event, unless the recipient did. */
  acknowledgedBy: { id: string; name: string } | undefined;
  failedReason: string | undefined;
  /** The attempts by device id; undefined until a sender has claimed the pack. */
  attempts: Record<string, DeviceAttempt> | undefined;
};

export type Pack = Omit<PackHead, "recipients"> & {
  workspaceId: WorkspaceId;
  packId: string;
  /** In milliseconds. */
  createdAt: number;
  recipients: PackRecipient[];
  lease: { id: string; until: number } | undefined;
  /** Devices that accepted the push, and then another push which said that the event is over. */
  toldOver: readonly string[];
  /** The time of the next retry, in milliseconds; undefined if there is no retry. */
  retryAt: number | undefined;
  /** The time up to which all steps have begun (milliseconds); undefined before the first step. */
  rangAt?: number | undefined;
};

/** Returns who acknowledged the event: somebody else, or the recipient. */
export const findAcknowledger = ({ acknowledgedBy, userId, name }: PackRecipient): { id: string; name: string } =>
  acknowledgedBy === undefined || acknowledgedBy.id === userId ? { id: userId, name } : acknowledgedBy;

type PagedRecipient = Pick<PackRecipient, "status" | "attempts" | "rings">;

/** Returns whether no begun step needs a push. An acknowledgement also ends later steps; opening the notification does not. */
export const isRecipientDone = ({ status, attempts, rings }: PagedRecipient): boolean => {
  if (rings === undefined || status === "ACKNOWLEDGED") return isNothingLeftToSend(status, attempts);
  return status !== "QUEUED" && attempts !== undefined && Object.values(attempts).every(isFinal);
};

type PageTimes = Pick<Pack, "createdAt" | "rangAt">;

/** Returns whether the recipient's first notification step has not begun. */
export const isRecipientPostponed = (
  { rings, attempts }: PagedRecipient,
  { createdAt, rangAt = createdAt }: PageTimes,
): boolean => attempts === undefined && rings !== undefined && (rings[0]?.at ?? 0) > rangAt;

/** Returns whether nothing must be sent before the next step. */
export const isPackFinished = (pack: Pack): boolean =>
  pack.recipients.every((recipient) => isRecipientDone(recipient) || isRecipientPostponed(recipient, pack));

/** Returns the recipient's steps that are due and have not begun; none after an acknowledgement. */
export const listDueSteps = (
  { status, rings = [] }: PagedRecipient,
  { rangAt = 0 }: Pick<Pack, "rangAt">,
  now: number,
): ScheduledStep[] => (status === "ACKNOWLEDGED" ? [] : rings.filter((page) => page.at > rangAt && page.at <= now));

/** Returns whether any recipient has a due step that has not begun. */
export const isStepDue = (pack: Pick<Pack, "recipients" | "rangAt">, now: number): boolean =>
  pack.recipients.some((recipient) => listDueSteps(recipient, pack, now).length > 0);

/** The attempts of each recipient, by the recipient's position in the pack. */
export type PackAttempts = ReadonlyMap<number, Readonly<Record<string, DeviceAttempt>>>;

export type RecipientOutcome = {
  position: number;
  attempts: Readonly<Record<string, DeviceAttempt>>;
  /** The result for the recipient; undefined while no device has accepted the push but a device may still accept it. */
  result: { kind: "sent"; at: number } | { kind: "failed"; reason: string } | undefined;
};

type PackedEvent = {
  workspaceId: WorkspaceId;
  eventId: string;
  content: { eventKey: string; title: string };
  plan?: Pick<FrozenPlan, "followed" | "groups" | "shadow"> | undefined;
};

/** Returns the pack's field `ackMinutes`; an empty object if acknowledgements do not end by themselves. */
const pickAckMinutes = ({ escalation }: Pick<PlannedPack["planned"], "escalation">): { ackMinutes?: number } => {
  const minutes = escalation?.ackMinutes ?? undefined;
  return minutes === undefined ? {} : { ackMinutes: minutes };
};

/** Returns the pack's field `group`; an empty object if the rule has no group of events. */
const findGroupOfPack = ({ plan }: PackedEvent, packId: string): { group?: string } => {
  const rule = parsePackId(packId)?.rule;
  const paged = plan?.groups?.find((one) => one.rule === rule && !isHeldByGroup(one));
  return paged === undefined ? {} : { group: paged.key };
};

/** Returns the pack's fields that come from the plan. A person who has left the workspace has only an id. */
export const toPackHead = (
  event: PackedEvent,
  { packId, planned, recipients, packs = 1 }: PlannedPack,
  people: People,
): PackHead => ({
  eventId: event.eventId,
  eventKey: event.content.eventKey,
  title: event.content.title,
  priority: planned.priority,
  priorityFrom: planned.priorityFrom,
  requiresAck: planned.requiresAck,
  escalates: planned.escalation !== undefined,
  ...pickAckMinutes(planned),
  ...(event.plan?.followed === true ? { followed: true } : {}),
  ...findGroupOfPack(event, packId),
  rule: planned.rule,
  ...(planned.added === undefined ? {} : { added: planned.added }),
  recipients: recipients.map(({ userId, reason, quiet }) => {
    const member = people.members.get(userId);
    // All devices ask at once whether to extend the acknowledgement, because the acknowledgement ends within minutes.
    const rings =
      planned.added?.because === "still_on_it"
        ? undefined
        : scheduleRecipientSteps(people, { userId, quiet }, { ...planned, at: parsePackId(packId)?.at ?? 0 });
    return {
      userId,
      name: member?.name ?? "",
      email: member?.email ?? "",
      reason,
      ...(quiet === undefined ? {} : { quiet }),
      ...(rings === undefined ? {} : { rings }),
    };
  }),
  ...(packs > 1 ? { packs } : {}),
});

export const toQueuedPack = (event: PackedEvent, planned: PlannedPack, people: People, createdAt: number): Pack => {
  const { recipients, ...head } = toPackHead(event, planned, people);
  return {
    ...head,
    workspaceId: event.workspaceId,
    packId: planned.packId,
    createdAt,
    lease: undefined,
    toldOver: [],
    retryAt: undefined,
    recipients: recipients.map((person, position) => ({
      ...person,
      notificationId: formatNotificationId(planned.packId, position),
      status: event.plan?.shadow === undefined ? "QUEUED" : "SHADOW",
      sentAt: undefined,
      acknowledgedAt: undefined,
      acknowledgedBy: undefined,
      failedReason: undefined,
      attempts: undefined,
    })),
  };
};
