import * as v from "valibot";
import { Priority } from "../basics/priority.ts";
import { Quiet, RecipientReason } from "../people/recipient.ts";
import { ScheduledStep } from "../people/notification-rules.ts";
import { stepsFor, type People } from "../people/people.ts";
import { formatNotificationId, parsePackId, type WorkspaceId } from "../basics/ids.ts";
import { Added } from "./added.ts";
import { isHeldDown, RuleRef, type FrozenPlan, type PlannedPack } from "./delivery-plan.ts";
import type { NotificationStatus } from "../basics/notification-status.ts";
import { isDone, isFinal, type DeviceAttempt } from "./notification.ts";

/** The part of a pack that never changes: the event, the rule and the people. */
export const PackHead = v.object({
  eventId: v.string(),
  eventKey: v.string(),
  title: v.string(),
  priority: Priority,
  priorityFrom: v.picklist(["event", "rule"]),
  requiresAck: v.boolean(),
  /** Whether an acknowledgement has an escalation to end. */
  escalates: v.boolean(),
  /** How long an acknowledgement lasts, if it ends. */
  ackMinutes: v.optional(v.number()),
  /** Whether webhooks get the event's changes. */
  followed: v.optional(v.literal(true)),
  /** The key of the group in which its event paged. */
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
      /** When it pages by the person's own steps, in the order of time; absent if every device is notified at once. */
      rings: v.optional(v.array(ScheduledStep)),
    }),
  ),
  /** Only on the first of several packs of a rule or a step: how many there are. */
  packs: v.optional(v.number()),
});
export type PackHead = v.InferOutput<typeof PackHead>;

/** The current state of one recipient of a pack. */
export type PackRecipient = {
  notificationId: string;
  userId: string;
  name: string;
  email: string;
  reason: RecipientReason;
  /** Why its push is silent; undefined if it has a sound. */
  quiet?: Quiet | undefined;
  /** When it pages by the person's own steps; undefined if every device is notified at once. */
  rings?: readonly ScheduledStep[] | undefined;
  status: NotificationStatus;
  sentAt: number | undefined;
  acknowledgedAt: number | undefined;
  /** Who acknowledged it, if that was not the recipient. */
  acknowledgedBy: { id: string; name: string } | undefined;
  failedReason: string | undefined;
  /** By device id; undefined until a sender has claimed the pack. */
  attempts: Record<string, DeviceAttempt> | undefined;
};

export type Pack = Omit<PackHead, "recipients"> & {
  workspaceId: WorkspaceId;
  packId: string;
  /** When its notifications were created, in milliseconds. */
  createdAt: number;
  recipients: PackRecipient[];
  lease: { id: string; until: number } | undefined;
  /** The ids of devices that accepted the push and were informed afterwards that the event is over. */
  toldOver: readonly string[];
  /** When the remaining pushes may be retried, in milliseconds; undefined while none is postponed. */
  retryAt: number | undefined;
  /** Up to when the steps of its recipients have begun, in milliseconds; undefined while none has. */
  rangAt?: number | undefined;
};

/** Who acknowledged a notification: its recipient unless somebody else did. */
export const acknowledgerOf = ({ acknowledgedBy, userId, name }: PackRecipient): { id: string; name: string } =>
  acknowledgedBy === undefined || acknowledgedBy.id === userId ? { id: userId, name } : acknowledgedBy;

type PagedRecipient = Pick<PackRecipient, "status" | "attempts" | "rings">;

/**
 * Whether nothing of the steps that have begun is left to send to a recipient. It may page again by own steps after it
 * was opened: only an acknowledgement ends that.
 */
export const isDoneWith = ({ status, attempts, rings }: PagedRecipient): boolean => {
  if (rings === undefined || status === "ACKNOWLEDGED") return isDone(status, attempts);
  return status !== "QUEUED" && attempts !== undefined && Object.values(attempts).every(isFinal);
};

type PageTimes = Pick<Pack, "createdAt" | "rangAt">;

/** Whether a recipient's own steps postpone the first page, and its time has not come. */
export const waits = ({ rings, attempts }: PagedRecipient, { createdAt, rangAt = createdAt }: PageTimes): boolean =>
  attempts === undefined && rings !== undefined && (rings[0]?.at ?? 0) > rangAt;

/** Whether nothing is left to send to any of its recipients before the next step. */
export const isFinished = (pack: Pack): boolean =>
  pack.recipients.every((recipient) => isDoneWith(recipient) || waits(recipient, pack));

/** The steps of a recipient that are due at a time (milliseconds) and have not begun. */
export const dueSteps = (
  { status, rings = [] }: PagedRecipient,
  { rangAt = 0 }: Pick<Pack, "rangAt">,
  at: number,
): ScheduledStep[] => (status === "ACKNOWLEDGED" ? [] : rings.filter((page) => page.at > rangAt && page.at <= at));

/** Whether anybody is to be paged at a time (milliseconds) by own steps who has not been. */
export const isStepDue = (pack: Pick<Pack, "recipients" | "rangAt">, at: number): boolean =>
  pack.recipients.some((recipient) => dueSteps(recipient, pack, at).length > 0);

/** The device attempts of each recipient, by position in the pack. */
export type PackAttempts = ReadonlyMap<number, Readonly<Record<string, DeviceAttempt>>>;

/** What a sender has found out about one recipient. */
export type RecipientOutcome = {
  position: number;
  attempts: Readonly<Record<string, DeviceAttempt>>;
  /** Undefined while devices are still being tried and none accepted it. */
  result: { kind: "sent"; at: number } | { kind: "failed"; reason: string } | undefined;
};

/** The fields that a pack copies from its event. */
type PackedEvent = {
  workspaceId: WorkspaceId;
  eventId: string;
  content: { eventKey: string; title: string };
  plan?: Pick<FrozenPlan, "followed" | "groups"> | undefined;
};

const ackMinutesOf = ({ escalation }: Pick<PlannedPack["planned"], "escalation">): { ackMinutes?: number } => {
  const minutes = escalation?.ackMinutes ?? undefined;
  return minutes === undefined ? {} : { ackMinutes: minutes };
};

/** The group in which a rule paged, by the pack's index in the plan. */
const groupOf = ({ plan }: PackedEvent, packId: string): { group?: string } => {
  const rule = parsePackId(packId)?.rule;
  const paged = plan?.groups?.find((one) => one.rule === rule && !isHeldDown(one));
  return paged === undefined ? {} : { group: paged.key };
};

/** The head of a planned pack. Of a person who left the workspace after the plan was made, only the id remains. */
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
  ...ackMinutesOf(planned),
  ...(event.plan?.followed === true ? { followed: true } : {}),
  ...groupOf(event, packId),
  rule: planned.rule,
  ...(planned.added === undefined ? {} : { added: planned.added }),
  recipients: recipients.map(({ userId, reason, quiet }) => {
    const member = people.members.get(userId);
    // A person who is asked whether they are still working on it has minutes to answer, and was awake to
    // acknowledge.
    const rings =
      planned.added?.because === "still_on_it"
        ? undefined
        : stepsFor(people, { userId, quiet }, { ...planned, at: parsePackId(packId)?.at ?? 0 });
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

/** A planned pack in the state in which it will be written. */
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
      status: "QUEUED",
      sentAt: undefined,
      acknowledgedAt: undefined,
      acknowledgedBy: undefined,
      failedReason: undefined,
      attempts: undefined,
    })),
  };
};
