import type { EscalationStep } from "../escalation/escalation-policy.ts";
import type { OnCallSchedule } from "../on-call/index.ts";
import type { Fault } from "../basics/refusal.ts";
import type { People } from "../people/people.ts";
import type { RulePatch } from "../rules/rule-input.ts";

const nouns = { members: "member", groups: "group", policies: "escalation policy" } as const;

/** Returns a fault in `field` if the workspace has no member, group or policy with the id; otherwise an empty list. */
const findUnknownId = (people: People, kind: keyof typeof nouns, id: string, field: string): Fault[] => {
  if (people[kind].has(id)) return [];
  const article = kind === "policies" ? "an" : "a";
  return [
    {
      field,
      code: "unknown_reference",
      message: `${field} must be the id of ${article} ${nouns[kind]} of this workspace.`,
    },
  ];
};

export const findRuleReferenceFaults = (
  rule: Pick<RulePatch, "targets" | "escalationPolicyId">,
  people: People,
): Fault[] => [
  ...(rule.targets ?? []).flatMap(({ groupId }, index) =>
    findUnknownId(people, "groups", groupId, `targets[${index}].groupId`),
  ),
  ...(typeof rule.escalationPolicyId === "string"
    ? findUnknownId(people, "policies", rule.escalationPolicyId, "escalationPolicyId")
    : []),
];

/** Returns a fault for each person or group outside the workspace whom somebody adds to an event. */
export const findAddedPeopleFaults = (
  { userIds, groupIds }: { userIds: readonly string[]; groupIds: readonly string[] },
  people: People,
): Fault[] => [
  ...userIds.flatMap((id, index) => findUnknownId(people, "members", id, `userIds[${index}]`)),
  ...groupIds.flatMap((id, index) => findUnknownId(people, "groups", id, `groupIds[${index}]`)),
];

export const findStepReferenceFaults = (steps: readonly EscalationStep[], people: People): Fault[] =>
  steps.flatMap(({ targets }, step) =>
    targets.flatMap((target, index) => {
      const field = `steps[${step}].targets[${index}]`;
      return target.type === "group"
        ? findUnknownId(people, "groups", target.groupId, `${field}.groupId`)
        : findUnknownId(people, "members", target.userId, `${field}.userId`);
    }),
  );

export const findScheduleReferenceFaults = (schedule: OnCallSchedule, people: People): Fault[] =>
  schedule.layers.flatMap(({ participants }, layer) =>
    participants.flatMap((turn, index) => {
      const field = `layers[${layer}].participants[${index}]`;
      return typeof turn === "string"
        ? findUnknownId(people, "members", turn, field)
        : turn.flatMap((userId, one) => findUnknownId(people, "members", userId, `${field}[${one}]`));
    }),
  );
