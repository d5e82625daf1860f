import type { Scenario } from "../scenario.ts";
import { acknowledge } from "./acknowledge.ts";
import { frozen, looking, twoAudits } from "./by-the-clock.ts";
import { changes, deletions } from "./changes.ts";
import { crowd } from "./crowd.ts";
import { dedupeRace } from "./dedupe-race.ts";
import { tokenDeath, twoOwners } from "./devices.ts";
import { acknowledgedByStep, acknowledgedInTime, earlyStep, escalation } from "./escalation.ts";
import { smaller, whole } from "./great.ts";
import { plain } from "./plain.ts";
import { burst, fcmMute, fcmOutage, outage, poison, redrive, twoSweepers } from "./queues.ts";
import { resolveByKey, resolveMatching, resolveSending, resolveStep, resolveUnmatched } from "./resolve.ts";
import { equalIds, idempotency, quotaEdge } from "./tenants.ts";

/** The same scenario with devices reached by Web Push. Only calls that deal with devices differ. */
const overWebPush = (scenario: Scenario): Scenario => ({
  ...scenario,
  name: `${scenario.name}-web`,
  way: "web",
  disturbs: /^(?:sender|push|wake sender|register-device|update-notification)/,
});

export const scenarios: readonly Scenario[] = [
  plain,
  dedupeRace,
  idempotency,
  quotaEdge,
  crowd,
  burst,
  acknowledge,
  escalation,
  acknowledgedInTime,
  acknowledgedByStep,
  earlyStep,
  resolveUnmatched,
  resolveMatching,
  resolveSending,
  resolveStep,
  resolveByKey,
  changes,
  deletions,
  tokenDeath,
  twoOwners,
  poison,
  redrive,
  outage,
  fcmOutage,
  fcmMute,
  twoSweepers,
  twoAudits,
  frozen,
  looking,
  equalIds,
  ...[plain, acknowledge, tokenDeath, acknowledgedByStep, resolveSending, redrive, fcmOutage, fcmMute].map(overWebPush),
  ...smaller,
];

/** The scenarios that take too long for every run. */
export const wholeScenarios = whole;

export const scenarioByName = (name: string): Scenario => {
  const found = [...scenarios, ...whole].find((scenario) => scenario.name === name);
  if (found === undefined)
    throw new Error(`no scenario ${name}; there are ${scenarios.map((scenario) => scenario.name).join(", ")}`);
  return found;
};
