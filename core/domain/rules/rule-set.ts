import { compileActiveHours } from "./active-hours.ts";
import { findAppliedRules } from "./chain.ts";
import { compileRules, PATTERNS_UNITS_MAX, type MatchableEvent, type MatchOptions } from "./matching/index.ts";
import type { RoutingRule } from "./routing-rule.ts";
import { receivesEvent, isChatChannel, type Connection } from "../connection/connection.ts";
import { followsEventKey, type Webhook } from "../webhook/webhook.ts";
import { compileSilences, type Silence } from "./silence.ts";

export type RuleSet = {
  /** Returns the rules that apply to the event, in any order. `receivedAt`: in milliseconds. */
  match: (
    event: MatchableEvent,
    receivedAt: number,
    options?: MatchOptions,
  ) => {
    rules: RoutingRule[];
    /** Rules that apply only because the budget ran out before they were decided. */
    overBudget: string[];
  };
  silenceOf: ReturnType<typeof compileSilences>["silenceOf"];
  /** Returns whether the silence exists and drops the events that it suppresses. */
  drops: (silenceId: string) => boolean;
  follows: (eventKey: string) => boolean;
  /** Returns the ids of the chat connections that receive an event if the given rules match the event. */
  listChatConnectionIds: (matched: readonly RoutingRule[]) => string[];
  /** Returns the approximate memory of the rule set in bytes. */
  estimateBytes: () => number;
};

/** The measured memory of a rule without its texts, and of a condition. */
const RULE_BYTES = 1_500;
const CONDITION_BYTES = 300;

const estimateTextBytes = (conditions: RoutingRule["conditions"]): number =>
  conditions.reduce((sum, { value }) => sum + (typeof value === "string" ? 2 * value.length : 0), 0);

const estimateRuleBytes = (rules: readonly Pick<RoutingRule, "conditions">[]): number =>
  rules.reduce(
    (sum, { conditions }) => sum + RULE_BYTES + CONDITION_BYTES * conditions.length + estimateTextBytes(conditions),
    0,
  );

type Followers = {
  webhooks: readonly Pick<Webhook, "types" | "eventKeys">[];
  connections: readonly Pick<Connection, "id" | "kind" | "ruleIds" | "groupIds">[];
};

export const toRuleSet = (
  rules: readonly RoutingRule[],
  silences: readonly Silence[],
  { webhooks, connections }: Followers = { webhooks: [], connections: [] },
): RuleSet => {
  const compiled = compileRules(rules, { patternsUnits: PATTERNS_UNITS_MAX });
  const { silenceOf, estimateBytes } = compileSilences(silences);
  const bytes = estimateRuleBytes(rules) + estimateRuleBytes(silences);
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  const hasChains = rules.some(({ chain }) => chain !== null);
  const hours = new Map<string, (ms: number) => boolean>();
  const isActive = (rule: RoutingRule, ms: number): boolean => {
    if (rule.activeHours === null) return true;
    const known = hours.get(rule.id) ?? compileActiveHours(rule);
    hours.set(rule.id, known);
    return known(ms);
  };
  return {
    match: (event, receivedAt, options) => {
      const { matched, overBudget } = compiled.match(event, options);
      const active = matched.flatMap((id) => byId.get(id) ?? []).filter((rule) => isActive(rule, receivedAt));
      const applied = findAppliedRules(active, overBudget, hasChains);
      const ids = new Set(applied.map(({ id }) => id));
      return { rules: applied, overBudget: overBudget.filter((id) => ids.has(id)) };
    },
    silenceOf,
    drops: (silenceId) => silences.some(({ id, afterwards }) => id === silenceId && afterwards === "drop"),
    follows: (eventKey) => webhooks.some((webhook) => followsEventKey(webhook, eventKey)),
    listChatConnectionIds: (matched) =>
      connections.filter((one) => isChatChannel(one) && receivesEvent(one, matched)).map(({ id }) => id),
    estimateBytes: () => bytes + compiled.estimateBytes() + estimateBytes(),
  };
};
