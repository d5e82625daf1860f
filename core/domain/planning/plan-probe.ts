import type { EventContent } from "../event/event.ts";
import type { Probe, StoredProbe } from "../event/probe.ts";
import type { People } from "../people/people.ts";
import type { RuleSet } from "../rules/rule-set.ts";
import { planRule } from "./plan-delivery.ts";

const RECIPIENTS_MAX = 20;

/** Plans whom a probe of a rule reaches. `at`: the time of the decision, in milliseconds. */
export const planProbe = (
  rules: RuleSet,
  people: People,
  { content, probe, receivedAt }: { content: EventContent; probe: Probe; receivedAt: number },
  at: number,
): Pick<StoredProbe, "applies" | "unreached" | "recipients" | "policyId"> => {
  const rule = rules.match(content, receivedAt).rules.find(({ id }) => id === probe.ruleId);
  if (rule === undefined) return { applies: false, recipients: [] };
  const { recipients, unreached, escalation } = planRule(rule, content, people, at);
  return {
    applies: true,
    recipients: recipients.slice(0, RECIPIENTS_MAX).map(({ userId }) => userId),
    unreached: unreached?.[0]?.because,
    policyId: escalation?.id,
  };
};
