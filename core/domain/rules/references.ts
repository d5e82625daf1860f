import type { EscalationStep } from "../escalation/escalation-policy.ts";
import type { OnCallSchedule } from "../people/on-call/index.ts";
import type { Fault } from "../basics/refusal.ts";
import type { RulePatch } from "./routing-rule.ts";

/** What ids in a body may refer to: only what the workspace has. */
type Known = {
  members: { has: (id: string) => boolean };
  groups: { has: (id: string) => boolean };
  policies: { has: (id: string) => boolean };
};

const nouns = { members: "member", groups: "group", policies: "escalation policy" } as const;

const faultUnless = (known: Known, kind: keyof Known, id: string, field: string): Fault[] => {
  if (known[kind].has(id)) return [];
  const article = kind === "policies" ? "an" : "a";
  return [
    {
      field,
      code: "unknown_reference",
      message: `${field} must be the id of ${article} ${nouns[kind]} of this workspace.`,
    },
  ];
};

/** The ids in a rule that the workspace does not know. */
export const ruleReferenceFaults = (rule: Pick<RulePatch, "targets" | "escalationPolicyId">, known: Known): Fault[] => [
  ...(rule.targets ?? []).flatMap(({ groupId }, index) =>
    faultUnless(known, "groups", groupId, `targets[${index}].groupId`),
  ),
  ...(typeof rule.escalationPolicyId === "string"
    ? faultUnless(known, "policies", rule.escalationPolicyId, "escalationPolicyId")
    : []),
];

/** The ids in the steps of an escalation policy that the workspace does not know. */
export const stepReferenceFaults = (steps: readonly EscalationStep[], known: Known): Fault[] =>
  steps.flatMap(({ targets }, step) =>
    targets.flatMap((target, index) => {
      const place = `steps[${step}].targets[${index}]`;
      return target.type === "group"
        ? faultUnless(known, "groups", target.groupId, `${place}.groupId`)
        : faultUnless(known, "members", target.userId, `${place}.userId`);
    }),
  );

/** The ids in a schedule that the workspace does not know. */
export const scheduleReferenceFaults = (schedule: OnCallSchedule, known: Known): Fault[] =>
  schedule.layers.flatMap(({ participants }, layer) =>
    participants.flatMap((userId, index) =>
      faultUnless(known, "members", userId, `layers[${layer}].participants[${index}]`),
    ),
  );
