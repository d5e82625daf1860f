import { PRIORITIES, canonicalizePriority, type Priority } from "../basics/priority.ts";
import type { Fault } from "../basics/refusal.ts";
import type { Warning } from "../basics/warning.ts";
import type { FrozenPolicy } from "../escalation/escalation-policy.ts";
import type { Channel } from "../device/channel.ts";
import { listChannels, type Device } from "../device/device.ts";
import { type NotificationRulesInput, type NotificationStep, type UrgentFloor } from "../people/notification-rules.ts";
import { applyUrgentFloor } from "../people/scheduled-steps.ts";
import type { People } from "../people/people.ts";
import { createWarning } from "../people/warning.ts";
import { listPossiblePeople, toRuleTargets } from "./reach.ts";
import type { RoutingRule } from "../rules/routing-rule.ts";

/* Warns about a person's notification rules, when the rules or an escalation policy are saved. */

type Steps = Pick<NotificationRulesInput, "rungs">;

/** Lists a person's notification steps with their priority and their `field` in the API. */
const listStepFields = ({ rungs }: Steps): { field: string; priority: Priority; step: NotificationStep }[] =>
  PRIORITIES.flatMap((priority) =>
    rungs[priority].map((step, index) => ({ field: `rungs.${priority}[${index}]`, priority, step })),
  );

const createNotConfiguredFault = (field: string, channel: Channel, configured: readonly Channel[]): Fault => ({
  field,
  code: "way_not_configured",
  message: `This service is not set up to notify by ${channel}; its operator has set up ${configured.join(", ")}.`,
});

/** Returns a fault for each channel of a person's steps that is not a `configured` channel of this service. */
export const findChannelFaults = (rules: Steps, configured: readonly Channel[]): Fault[] =>
  listStepFields(rules).flatMap(({ field, step: { ways } }) =>
    ways.flatMap((channel, index) =>
      configured.includes(channel) ? [] : [createNotConfiguredFault(`${field}.ways[${index}]`, channel, configured)],
    ),
  );

/** Returns a fault for each channel of `floor`, the minimum for URGENT notifications, that is not a `configured` channel. */
export const findFloorFaults = (floor: UrgentFloor | undefined, configured: readonly Channel[]): Fault[] =>
  (floor?.ways ?? []).flatMap((channel, index) =>
    configured.includes(channel) ? [] : [createNotConfiguredFault(`urgentFloor.ways[${index}]`, channel, configured)],
  );

/** Lists, for each step of the policy that notifies the user, the minutes until the policy's next step fires. */
const listMinutesUntilNextStep = (policy: FrozenPolicy, userId: string, people: People, now: number): number[] =>
  policy.steps.flatMap(({ targets }, index) => {
    const isNotified = targets.some((target) => listPossiblePeople(target, people, now).includes(userId));
    const next = policy.steps[index + 1] ?? (policy.repeat > 0 ? policy.steps[0] : undefined);
    return isNotified && next !== undefined ? [next.delayMinutes] : [];
  });

type Rule = Pick<RoutingRule, "targets" | "onCallOnly" | "escalationPolicyId" | "requiresAck" | "priorityOverride">;

/** Lists the minutes from each notification of the user, by a rule or its policy, to the policy's next step. */
const listMinutesUntilEscalation = (
  policies: Iterable<FrozenPolicy>,
  rules: readonly Rule[],
  people: People,
  userId: string,
  now: number,
): { policy: FrozenPolicy; minutes: number; priority: Priority | undefined }[] =>
  [...policies].flatMap((policy) =>
    rules
      .filter(({ escalationPolicyId }) => escalationPolicyId === policy.id)
      .flatMap((rule) => {
        const override = rule.priorityOverride;
        const priority = override === null ? undefined : canonicalizePriority(override);
        const isNotified = toRuleTargets(rule).some((target) =>
          listPossiblePeople(target, people, now).includes(userId),
        );
        const [first] = policy.steps;
        const own = isNotified && first !== undefined ? [first.delayMinutes] : [];
        return [...own, ...listMinutesUntilNextStep(policy, userId, people, now)].map((minutes) => ({
          policy,
          minutes,
          priority,
        }));
      }),
  );

/** Returns the person's steps that begin only when an escalation policy's next step has fired, each with the policy. */
const findLateSteps = (
  rules: Steps,
  escalationTimes: readonly { policy: FrozenPolicy; minutes: number; priority: Priority | undefined }[],
): { field: string; policyId: string }[] =>
  listStepFields(rules).flatMap(({ field, priority, step }) => {
    const outrun = escalationTimes.filter(
      (next) => (next.priority ?? priority) === priority && step.afterMinutes >= next.minutes,
    );
    return [...new Set(outrun.map(({ policy }) => policy.id))].map((policyId) => ({ field, policyId }));
  });

/** Warns of a person's steps that have no device, are too late, or are below the workspace's minimum for URGENT. */
export const checkNotificationSteps = (
  rules: Steps,
  userId: string,
  known: { people: People; rules: readonly Rule[]; devices: readonly Device[]; now: number },
): Warning[] => {
  const { people, rules: routing, devices, now } = known;
  const served = new Set(devices.flatMap(listChannels));
  const without = listStepFields(rules).flatMap(({ field, step: { ways } }) =>
    ways.flatMap((channel, index) =>
      served.has(channel) ? [] : [{ ...createWarning("way_without_device"), field: `${field}.ways[${index}]` }],
    ),
  );
  const late = findLateSteps(rules, listMinutesUntilEscalation(people.policies.values(), routing, people, userId, now));
  const { URGENT: urgent } = rules.rungs;
  const isLifted = applyUrgentFloor(people.urgentFloor, urgent) !== urgent;
  return [
    ...without,
    ...late.map(({ field, policyId }) => ({
      ...createWarning("policy_moves_on", policyId),
      field: `${field}.afterMinutes`,
    })),
    ...(isLifted ? [{ ...createWarning("below_floor"), field: "rungs.URGENT" }] : []),
  ];
};

/** Warns the policy's author of each person whose own notification steps page only after the policy's next step. */
export const checkPolicySteps = (
  policy: FrozenPolicy,
  rules: readonly Rule[],
  people: People,
  now: number,
): Warning[] =>
  [...people.notificationRules].flatMap(([userId, own]) =>
    people.members.has(userId) &&
    findLateSteps(own, listMinutesUntilEscalation([policy], rules, people, userId, now)).length > 0
      ? [createWarning("policy_moves_on", userId)]
      : [],
  );
