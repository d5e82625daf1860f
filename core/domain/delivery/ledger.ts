import { countHeldByFlapping, isFlapping, countNotifications, type DeliveryPlan } from "./delivery-plan.ts";
import { hasAcceptedPush } from "./notification.ts";
import { isRecipientPostponed, type Pack, type PackRecipient } from "./pack.ts";

/** Numbers of people: all whom an event was to notify (`recipients`), and those with each result. `faults`: contradictions. */
export type Ledger = {
  recipients: number;
  told: number;
  failed: number;
  silenced: number;
  pending: number;
  faults: string[];
};

/** A pack that the plan contains. `userIds`: in the order of the pack. */
type PlannedFor = { packId: string; userIds: readonly string[] };

const toLedgerStatus = ({ status }: PackRecipient): "told" | "failed" | "pending" => {
  if (status === "QUEUED") return "pending";
  return status === "FAILED" ? "failed" : "told";
};

/** Finds statuses that contradict the device attempts or lack a reason. */
const findStatusFaults = ({ notificationId, status, attempts = {}, failedReason }: PackRecipient): string[] => {
  const wasTaken = Object.values(attempts).some(hasAcceptedPush);
  if (status === "SENT" && !wasTaken) return [`${notificationId} is SENT, but no device accepted it`];
  if (status === "FAILED" && wasTaken) return [`${notificationId} is FAILED, but a device accepted it`];
  if (status === "FAILED" && (failedReason ?? "") === "") return [`${notificationId} is FAILED without a reason`];
  return [];
};

/** Counts planned people by status in the packs, and lists faults. If `finished`, only people with later steps may be pending. */
export const compareWithPlan = (
  planned: readonly PlannedFor[],
  packs: readonly Pack[],
  { silenced = 0, finished }: { silenced?: number; finished: boolean },
): Ledger => {
  const byId = new Map(packs.map((pack) => [pack.packId, pack]));
  let putOff = 0;
  const ledger: Ledger = { recipients: silenced, told: 0, failed: 0, silenced, pending: 0, faults: [] };
  for (const { packId, userIds } of planned) {
    const pack = byId.get(packId);
    const stored = pack?.recipients ?? [];
    ledger.recipients += userIds.length;
    for (const [position, userId] of userIds.entries()) {
      const recipient = stored[position];
      if (recipient?.userId === userId) {
        ledger[toLedgerStatus(recipient)] += 1;
        if (pack !== undefined && toLedgerStatus(recipient) === "pending" && isRecipientPostponed(recipient, pack))
          putOff += 1;
        ledger.faults.push(...findStatusFaults(recipient));
      } else if (stored.length === 0) ledger.pending += 1;
      else ledger.faults.push(`${packId} does not have ${userId} at position ${position}`);
    }
    for (const { userId } of stored.slice(userIds.length))
      ledger.faults.push(`${packId} has ${userId}, whom no rule or step notifies`);
  }
  const left = ledger.pending - putOff;
  if (finished && left > 0) ledger.faults.push(`${left} recipients are pending, but the work is finished`);
  return ledger;
};

/** Returns a fault unless the rules name as many people (`namedCount`) as the plan notifies, holds back and groups in total. */
export const findPlanFaults = (
  namedCount: number,
  plan: Pick<DeliveryPlan, "rules" | "silence" | "flapping" | "groups">,
): string[] => {
  const [told, silenced] = [countNotifications(plan), (plan.silence?.recipients ?? 0) + countHeldByFlapping(plan)];
  const groupedCount = (plan.groups ?? []).reduce((sum, { recipients = 0 }) => sum + recipients, 0);
  return told + silenced + groupedCount === namedCount
    ? []
    : [
        `the rules name ${namedCount} people, but the plan notifies ${told}, holds back ${silenced} and groups ${groupedCount}`,
      ];
};

/** Returns faults if the plan notifies anybody although a silence covers the event or its alert flaps. */
export const findHoldFaults = (plan: Pick<DeliveryPlan, "rules" | "silence" | "flapping">): string[] => {
  const { rules, silence, flapping } = plan;
  if (silence === undefined && !isFlapping({ flapping })) return [];
  const holder = silence?.id ?? "its flapping";
  const notified = countNotifications({ rules });
  const escalating = rules.filter(({ escalation }) => escalation !== undefined).length;
  return [
    ...(notified > 0 ? [`${notified} notifications are planned although ${holder} holds the event back`] : []),
    ...(escalating > 0 ? [`${escalating} rules escalate although ${holder} holds the event back`] : []),
  ];
};
