import type { NotificationStatus } from "../basics/notification-status.ts";
import type { DeliveryPlan } from "../delivery/delivery-plan.ts";
import { listRecipientsOfTargets, findUnreachedGroups, type People, type Target } from "../people/people.ts";
import type { Recipient, UnreachedGroup } from "../people/recipient.ts";
import { computeConfirmationCheckTime, mustFireEarly } from "../escalation/early-steps.ts";
import {
  findNextDueStep,
  findFirstDueStep,
  computeStepNumber,
  findStep,
  type EscalationCursor,
  type FrozenPolicy,
} from "../escalation/escalation-policy.ts";

export const firingReasons = ["delay", "nobody_reached", "not_confirmed"] as const;
type FiringReason = (typeof firingReasons)[number];

/** An escalation step that would fire at the time `at`, in milliseconds. */
export type TimelineStep = {
  cursor: EscalationCursor;
  at: number;
  because: FiringReason;
  recipients: Recipient[];
  unreached: UnreachedGroup[];
};

type EscalationStart = {
  /** When the rule's own notifications are created, in milliseconds. */
  at: number;
  recipients: readonly Recipient[];
};

type Predictions = {
  /** Returns whether the user has a device; without a device, the user's notification fails at once. */
  hasDevice: (userId: string) => boolean;
  /** Whether devices confirm pushes; if not, a policy's next step fires after `confirmWithinSeconds`. */
  confirm: boolean;
};

/** Returns the steps that fire if nobody acknowledges and only notifications without a device fail. */
export const simulateEscalation = (
  policy: FrozenPolicy,
  people: People,
  start: EscalationStart,
  { hasDevice, confirm }: Predictions,
): TimelineStep[] => {
  const predictRecipientStatus = ({ userId }: Recipient): NotificationStatus =>
    hasDevice(userId) ? (confirm ? "DELIVERED" : "SENT") : "FAILED";
  const statuses = start.recipients.map(predictRecipientStatus);
  const steps: TimelineStep[] = [];
  let fired = 0;
  let sinceMs = start.at;
  for (let next = findFirstDueStep(policy, start.at, statuses.length > 0); next !== undefined;) {
    const { cursor, dueAt } = next;
    const number = computeStepNumber(policy, cursor);
    const wouldFireEarlyAt = (nowMs: number): boolean =>
      nowMs < dueAt && mustFireEarly(policy, { fired, next: number }, statuses, { sinceMs, nowMs });
    const findReasonAndTime = (): Pick<TimelineStep, "because" | "at"> => {
      if (wouldFireEarlyAt(sinceMs)) return { because: "nobody_reached", at: sinceMs };
      const confirmedBy = computeConfirmationCheckTime(policy, sinceMs, dueAt);
      if (confirmedBy !== undefined && wouldFireEarlyAt(confirmedBy))
        return { because: "not_confirmed", at: confirmedBy };
      return { because: "delay", at: dueAt };
    };
    const { because, at } = findReasonAndTime();
    const targets = findStep(policy, cursor)?.targets ?? [];
    const recipients = listRecipientsOfTargets(people, targets, at);
    steps.push({ cursor, at, because, recipients, unreached: findUnreachedGroups(people, targets, recipients, at) });
    statuses.push(...recipients.map(predictRecipientStatus));
    fired = number;
    sinceMs = at;
    next = findNextDueStep(policy, { cursor, dueAt: at }, at, recipients.length > 0);
  }
  return steps;
};

/** How many people's devices the simulator checks; it assumes that everybody else has a device. */
export const SIMULATED_PEOPLE_MAX = 500;

const listTargetMembers = (target: Target, people: People): readonly string[] =>
  target.type === "user" ? [target.userId] : (people.groups.get(target.groupId)?.memberIds ?? []);

/** Lists everybody whom the plan can notify: first the recipients of rules, then the people of escalation steps. */
export const listPeopleToReach = ({ plan }: { plan: Pick<DeliveryPlan, "rules"> }, people: People): string[] => {
  const notified = plan.rules.flatMap(({ recipients }) => recipients.map(({ userId }) => userId));
  const policies = new Set(plan.rules.flatMap(({ escalation }) => escalation ?? []));
  const later = [...policies].flatMap(({ steps }) =>
    steps.flatMap(({ targets }) => targets.flatMap((target) => listTargetMembers(target, people))),
  );
  return [...new Set([...notified, ...later])];
};
