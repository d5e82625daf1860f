import { Refusal } from "../basics/refusal.ts";
import type { FrozenPolicy } from "../escalation/escalation-policy.ts";
import type { Target } from "../people/people.ts";
import type { RoutingRule } from "../rules/routing-rule.ts";

type NamedItem = { id: string; name: string };

/** The maximum number of names in an answer's lists (`LISTED`) and in the message of a refusal (`SAID`). */
const LISTED = 100;
const SAID = 5;

/** Returns the ids and names of the first hundred items. */
export const pickShownNames = (items: readonly NamedItem[]): NamedItem[] =>
  items.slice(0, LISTED).map(({ id, name }) => ({ id, name }));

/** Returns the first five names, separated by commas, and an ellipsis if there are more. */
export const describeNames = (items: readonly NamedItem[]): string =>
  `${items
    .slice(0, SAID)
    .map(({ name }) => name)
    .join(", ")}${items.length > SAID ? ", ..." : ""}`;

export type RemovedTarget = { groupId: string } | { userId: string };

const isRemovedTarget = (target: Target, removed: RemovedTarget): boolean =>
  "groupId" in removed
    ? target.type === "group" && target.groupId === removed.groupId
    : target.type === "user" && target.userId === removed.userId;

/** Returns the policies with a step that names the removed member or group. */
export const findPoliciesThatName = <Policy extends Pick<FrozenPolicy, "steps">>(
  removed: RemovedTarget,
  policies: Iterable<Policy>,
): Policy[] =>
  [...policies].filter(({ steps }) =>
    steps.some(({ targets }) => targets.some((one) => isRemovedTarget(one, removed))),
  );

/** Refuses to remove a member or group that policies name. The message names the policies and the rules that use them. */
export const refuseUsedByPolicies = (
  removed: RemovedTarget,
  policies: readonly NamedItem[],
  rules: readonly Pick<RoutingRule, "id" | "name" | "escalationPolicyId">[],
): Refusal => {
  const ids = new Set(policies.map(({ id }) => id));
  const escalating = rules.filter(
    ({ escalationPolicyId }) => escalationPolicyId !== null && ids.has(escalationPolicyId),
  );
  return new Refusal(
    "used_by_policies",
    `${policies.length === 1 ? "An escalation policy has" : `${policies.length} escalation policies have`} a step that names ` +
      `this ${"groupId" in removed ? "group" : "member"}: ${describeNames(policies)}. ` +
      (escalating.length === 0
        ? ""
        : `Rules with ${policies.length === 1 ? "this policy" : "these policies"}: ${describeNames(escalating)}. `) +
      `Change the steps first, or ${"groupId" in removed ? "delete the group" : "remove the member"} with ?force=true.`,
    { members: { policies: pickShownNames(policies), rules: pickShownNames(escalating) } },
  );
};
