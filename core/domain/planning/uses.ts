import { Refusal } from "../basics/refusal.ts";
import type { FrozenPolicy } from "../escalation/escalation-policy.ts";
import type { Target } from "../people/people.ts";
import type { RoutingRule } from "../rules/routing-rule.ts";

type Named = { id: string; name: string };

/** The maximum number of names in lists. The message of a refusal contains fewer names (`SAID`). */
const LISTED = 100;
const SAID = 5;

export const pickShownNames = (items: readonly Named[]): Named[] =>
  items.slice(0, LISTED).map(({ id, name }) => ({ id, name }));

export const describeNames = (items: readonly Named[]): string =>
  `${items
    .slice(0, SAID)
    .map(({ name }) => name)
    .join(", ")}${items.length > SAID ? ", ..." : ""}`;

export type Going = { groupId: string } | { userId: string };

const isTargetLeaving = (target: Target, leaving: Going): boolean =>
  "groupId" in leaving
    ? target.type === "group" && target.groupId === leaving.groupId
    : target.type === "user" && target.userId === leaving.userId;

export const findPoliciesThatName = <Policy extends Pick<FrozenPolicy, "steps">>(
  leaving: Going,
  policies: Iterable<Policy>,
): Policy[] =>
  [...policies].filter(({ steps }) =>
    steps.some(({ targets }) => targets.some((one) => isTargetLeaving(one, leaving))),
  );

/** `rules`: all rules of the workspace. */
export const usedByPoliciesRefusal = (
  leaving: Going,
  policies: readonly Named[],
  rules: readonly Pick<RoutingRule, "id" | "name" | "escalationPolicyId">[],
): Refusal => {
  const ids = new Set(policies.map(({ id }) => id));
  const escalating = rules.filter(
    ({ escalationPolicyId }) => escalationPolicyId !== null && ids.has(escalationPolicyId),
  );
  return new Refusal(
    "used_by_policies",
    `${policies.length === 1 ? "An escalation policy has" : `${policies.length} escalation policies have`} a step that names ` +
      `this ${"groupId" in leaving ? "group" : "member"}: ${describeNames(policies)}. ` +
      (escalating.length === 0
        ? ""
        : `Rules with ${policies.length === 1 ? "this policy" : "these policies"}: ${describeNames(escalating)}. `) +
      `Change the steps first, or ${"groupId" in leaving ? "delete the group" : "remove the member"} with ?force=true.`,
    { members: { policies: pickShownNames(policies), rules: pickShownNames(escalating) } },
  );
};
