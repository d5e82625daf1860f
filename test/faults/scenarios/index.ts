import type { Scenario } from "../scenario.ts";
import { acknowledgedGroup } from "./acknowledged-group.ts";
import { acknowledge } from "./acknowledge.ts";
import { answeredByKey, answeredByMail, answeredBySms, escalatedByKey } from "./answered.ts";
import { audited, auditedPeople } from "./audited.ts";
import { beforeSpread } from "./before-spread.ts";
import { frozen, looking, twoAudits } from "./by-the-clock.ts";
import { changes, deletions } from "./changes.ts";
import { contactsMute } from "./contacts-mute.ts";
import { cover } from "./cover.ts";
import { crowd } from "./crowd.ts";
import { dedupeRace } from "./dedupe-race.ts";
import { foreign, tokenDeath, twoOwners } from "./devices.ts";
import { acknowledgedByStep, acknowledgedInTime, earlyStep, escalation } from "./escalation.ts";
import { flapping } from "./flapping.ts";
import { smaller, whole } from "./great.ts";
import { handOver } from "./handoff.ts";
import { heartbeat } from "./heartbeat.ts";
import { invited } from "./invited.ts";
import { temporaryAcknowledgement } from "./temporary-acknowledgement.ts";
import { notice } from "./notice.ts";
import { oneAlert } from "./one-alert.ts";
import { outOfOrder } from "./out-of-order.ts";
import { plain } from "./plain.ts";
import { burst, fcmMute, fcmOutage, outage, poison, redrive, twoSweepers } from "./queues.ts";
import { steps, stepsAcknowledged } from "./notification-steps.ts";
import { resolveByKey, resolveMatching, resolveSending, resolveStep, resolveUnmatched } from "./resolve.ts";
import { pagerSwitch } from "./pager-switch.ts";
import { probe } from "./probe.ts";
import { check } from "./reachability-check.ts";
import { room } from "./room.ts";
import { secrets } from "./secrets.ts";
import { silenceEnds } from "./silence-ends.ts";
import { storm, threshold, pageLimit } from "./storm.ts";
import { equalIds, idempotency, quotaEdge } from "./tenants.ts";
import { unreadable } from "./unreadable.ts";
import { userGroup } from "./user-group.ts";
import { watched } from "./watched.ts";

/** Returns the scenario over Web Push, in which only calls that concern devices get faults. */
const toWebPush = (scenario: Scenario): Scenario => ({
  ...scenario,
  name: `${scenario.name}-web`,
  way: "web",
  disturbs: /^(?:sender|push|wake sender|register-device|update-notification)/,
});

const overContacts =
  (way: "mail" | "sms" | "voice") =>
  (scenario: Scenario): Scenario => ({
    ...scenario,
    name: `${scenario.name}-${way}`,
    way,
    disturbs: /^(?:sender|push|wake sender)/,
  });

const notifiedByContacts = [
  plain,
  escalation,
  earlyStep,
  acknowledgedByStep,
  steps,
  stepsAcknowledged,
  resolveSending,
  fcmOutage,
  fcmMute,
];

export const scenarios: readonly Scenario[] = [
  plain,
  dedupeRace,
  idempotency,
  quotaEdge,
  storm,
  threshold,
  pageLimit,
  acknowledgedGroup,
  crowd,
  burst,
  beforeSpread,
  acknowledge,
  escalation,
  acknowledgedInTime,
  acknowledgedByStep,
  answeredBySms,
  answeredByMail,
  answeredByKey,
  escalatedByKey,
  earlyStep,
  temporaryAcknowledgement,
  handOver,
  steps,
  stepsAcknowledged,
  flapping,
  resolveUnmatched,
  resolveMatching,
  resolveSending,
  resolveStep,
  resolveByKey,
  outOfOrder,
  oneAlert,
  changes,
  deletions,
  audited,
  auditedPeople,
  cover,
  invited,
  tokenDeath,
  foreign,
  twoOwners,
  poison,
  redrive,
  outage,
  fcmOutage,
  fcmMute,
  contactsMute,
  secrets,
  twoSweepers,
  twoAudits,
  frozen,
  looking,
  equalIds,
  unreadable,
  notice,
  heartbeat,
  silenceEnds,
  check,
  probe,
  pagerSwitch,
  room,
  watched,
  userGroup,
  ...[
    plain,
    acknowledge,
    steps,
    tokenDeath,
    foreign,
    acknowledgedByStep,
    resolveSending,
    redrive,
    fcmOutage,
    fcmMute,
  ].map(toWebPush),
  ...notifiedByContacts.map(overContacts("mail")),
  ...notifiedByContacts.map(overContacts("sms")),
  ...notifiedByContacts.map(overContacts("voice")),
  ...smaller,
];

/** Scenarios that take too long for every run. */
export const wholeScenarios = whole;

export const scenarioByName = (name: string): Scenario => {
  const found = [...scenarios, ...whole].find((scenario) => scenario.name === name);
  if (found === undefined)
    throw new Error(`no scenario ${name}; there are ${scenarios.map((scenario) => scenario.name).join(", ")}`);
  return found;
};
