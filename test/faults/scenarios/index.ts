import type { Scenario } from "../scenario.ts";
import { acknowledgedGroup } from "./acknowledged-group.ts";
import { acknowledge } from "./acknowledge.ts";
import { acknowledgedByCall, acknowledgedByEmail, acknowledgedBySms, escalatedByCall } from "./replies.ts";
import { auditTrail, auditTrailOfPeople } from "./audit-trail.ts";
import { onePartition } from "./one-partition.ts";
import { frozenInstances, readingLists, concurrentAudits } from "./concurrency.ts";
import { ruleChanges, deletions } from "./configuration-changes.ts";
import { contactServicesSilent } from "./contact-services-silent.ts";
import { cover } from "./cover.ts";
import { largeGroup } from "./large-group.ts";
import { dedupeRace } from "./dedupe-race.ts";
import { foreignDevices, invalidTokens, concurrentRegistrations } from "./devices.ts";
import { acknowledgedDuringStep, acknowledgedWhenStepDue, earlyStep, escalation } from "./escalation.ts";
import { flapping } from "./flapping.ts";
import { fullSizeScenarios, largeScenarios } from "./large.ts";
import { handoff } from "./handoff.ts";
import { heartbeats } from "./heartbeats.ts";
import { invitation } from "./invitation.ts";
import { temporaryAcknowledgement } from "./temporary-acknowledgement.ts";
import { serviceNotices } from "./service-notices.ts";
import { sharedAlertId } from "./shared-alert-id.ts";
import { outOfOrder } from "./out-of-order.ts";
import { plain } from "./plain.ts";
import { burst, fcmSilent, fcmOutage, sqsAndFcmOutage, invalidMessages, redrive, concurrentSweeps } from "./queues.ts";
import { notificationSteps, notificationStepsAcknowledged } from "./notification-steps.ts";
import {
  resolvedBySender,
  resolvedWhileMatching,
  resolvedWhileSending,
  resolvedWhenStepDue,
  resolvedBeforeMatching,
} from "./resolved.ts";
import { deadMansSwitch } from "./dead-mans-switch.ts";
import { probe } from "./probe.ts";
import { reachabilityCheck } from "./reachability-check.ts";
import { webhooksAndSlack } from "./webhooks-and-slack.ts";
import { secretsUnavailable } from "./secrets-unavailable.ts";
import { silenceEnds } from "./silence-ends.ts";
import { eventGroups, threshold, pageLimit } from "./event-groups.ts";
import { equalIds, idempotency, quotaLimit } from "./tenants.ts";
import { unreadableItems } from "./unreadable-items.ts";
import { slackUserGroup } from "./slack-user-group.ts";
import { onCallWebhooks } from "./on-call-webhooks.ts";

/** Returns the scenario over Web Push, in which only calls that concern devices get faults. */
const toWebPush = (scenario: Scenario): Scenario => ({
  ...scenario,
  name: `${scenario.name}-web`,
  channel: "web",
  faultyCalls: /^(?:sender|push|wake sender|register-device|update-notification)/,
});

const overContacts =
  (channel: "email" | "sms" | "voice") =>
  (scenario: Scenario): Scenario => ({
    ...scenario,
    name: `${scenario.name}-${channel}`,
    channel,
    faultyCalls: /^(?:sender|push|wake sender)/,
  });

const notifiedByContacts = [
  plain,
  escalation,
  earlyStep,
  acknowledgedDuringStep,
  notificationSteps,
  notificationStepsAcknowledged,
  resolvedWhileSending,
  fcmOutage,
  fcmSilent,
];

export const scenarios: readonly Scenario[] = [
  plain,
  dedupeRace,
  idempotency,
  quotaLimit,
  eventGroups,
  threshold,
  pageLimit,
  acknowledgedGroup,
  largeGroup,
  burst,
  onePartition,
  acknowledge,
  escalation,
  acknowledgedWhenStepDue,
  acknowledgedDuringStep,
  acknowledgedBySms,
  acknowledgedByEmail,
  acknowledgedByCall,
  escalatedByCall,
  earlyStep,
  temporaryAcknowledgement,
  handoff,
  notificationSteps,
  notificationStepsAcknowledged,
  flapping,
  resolvedBeforeMatching,
  resolvedWhileMatching,
  resolvedWhileSending,
  resolvedWhenStepDue,
  resolvedBySender,
  outOfOrder,
  sharedAlertId,
  ruleChanges,
  deletions,
  auditTrail,
  auditTrailOfPeople,
  cover,
  invitation,
  invalidTokens,
  foreignDevices,
  concurrentRegistrations,
  invalidMessages,
  redrive,
  sqsAndFcmOutage,
  fcmOutage,
  fcmSilent,
  contactServicesSilent,
  secretsUnavailable,
  concurrentSweeps,
  concurrentAudits,
  frozenInstances,
  readingLists,
  equalIds,
  unreadableItems,
  serviceNotices,
  heartbeats,
  silenceEnds,
  reachabilityCheck,
  probe,
  deadMansSwitch,
  webhooksAndSlack,
  onCallWebhooks,
  slackUserGroup,
  ...[
    plain,
    acknowledge,
    notificationSteps,
    invalidTokens,
    foreignDevices,
    acknowledgedDuringStep,
    resolvedWhileSending,
    redrive,
    fcmOutage,
    fcmSilent,
  ].map(toWebPush),
  ...notifiedByContacts.map(overContacts("email")),
  ...notifiedByContacts.map(overContacts("sms")),
  ...notifiedByContacts.map(overContacts("voice")),
  ...largeScenarios,
];

/** Scenarios that take too long for every run. */
export { fullSizeScenarios };

export const scenarioByName = (name: string): Scenario => {
  const found = [...scenarios, ...fullSizeScenarios].find((scenario) => scenario.name === name);
  if (found === undefined)
    throw new Error(
      `Unknown scenario "${name}". The scenarios are ${scenarios.map((scenario) => scenario.name).join(", ")}`,
    );
  return found;
};
