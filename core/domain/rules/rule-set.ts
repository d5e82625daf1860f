import { compileHours } from "./active-hours.ts";
import { applying } from "./chain.ts";
import { compileRules, PATTERNS_UNITS_MAX, type MatchableEvent, type MatchOptions } from "./matching/index.ts";
import type { RoutingRule } from "./routing-rule.ts";
import { goesTo, isChatChannel, type Connection } from "../connection/connection.ts";
import { follows, type Webhook } from "../webhook/webhook.ts";
import { compileSilences, type Silence } from "./silence.ts";

/** Compiled rules and silences, ready to match. */
export type RuleSet = {
  /** The rules that apply to an event at the moment (milliseconds) at which it came, in any order. */
  match: (
    event: MatchableEvent,
    receivedAt: number,
    options?: MatchOptions,
  ) => {
    rules: RoutingRule[];
    /** The ids of those that apply because the budget ran out before they were decided. */
    overBudget: string[];
  };
  /** The silence that covers an event, if one does. */
  silenceOf: ReturnType<typeof compileSilences>["silenceOf"];
  /** Whether there is such a silence that never notifies afterwards of the suppressed events. */
  drops: (silenceId: string) => boolean;
  /** Whether a webhook gets the changes of events with a key. */
  follows: (eventKey: string) => boolean;
  /** The ids of the connections to channels that get an event matched by these rules. */
  roomsOf: (matched: readonly RoutingRule[]) => string[];
  /** About how many bytes it takes in memory. */
  held: () => number;
};

/** Measured: the bytes of a rule in memory besides its texts, and of a condition. */
const RULE_BYTES = 1_500;
const CONDITION_BYTES = 300;

const textBytes = (conditions: RoutingRule["conditions"]): number =>
  conditions.reduce((sum, { value }) => sum + (typeof value === "string" ? 2 * value.length : 0), 0);

const bytesOf = (conditioned: readonly Pick<RoutingRule, "conditions">[]): number =>
  conditioned.reduce(
    (sum, { conditions }) => sum + RULE_BYTES + CONDITION_BYTES * conditions.length + textBytes(conditions),
    0,
  );

/** The recipients of events besides people. */
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
  const { silenceOf, held } = compileSilences(silences);
  const bytes = bytesOf(rules) + bytesOf(silences);
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  const hasChains = rules.some(({ chain }) => chain !== null);
  const hours = new Map<string, (ms: number) => boolean>();
  const isActive = (rule: RoutingRule, ms: number): boolean => {
    if (rule.activeHours === null) return true;
    const known = hours.get(rule.id) ?? compileHours(rule);
    hours.set(rule.id, known);
    return known(ms);
  };
  return {
    match: (event, receivedAt, options) => {
      const { matched, overBudget } = compiled.match(event, options);
      const active = matched.flatMap((id) => byId.get(id) ?? []).filter((rule) => isActive(rule, receivedAt));
      const applied = applying(active, overBudget, hasChains);
      const ids = new Set(applied.map(({ id }) => id));
      return { rules: applied, overBudget: overBudget.filter((id) => ids.has(id)) };
    },
    silenceOf,
    drops: (silenceId) => silences.some(({ id, afterwards }) => id === silenceId && afterwards === "drop"),
    follows: (eventKey) => webhooks.some((webhook) => follows(webhook, eventKey)),
    roomsOf: (matched) => connections.filter((one) => isChatChannel(one) && goesTo(one, matched)).map(({ id }) => id),
    held: () => bytes + compiled.held() + held(),
  };
};
