import { formatSuggestion, findNearest } from "../basics/nearest.ts";
import type { Warning } from "../basics/warning.ts";
import { compareInChain, type PlacedRule } from "./chain.ts";
import { findContradiction } from "./contradiction.ts";
import { matchesEventKey } from "./matching/index.ts";
import type { RoutingRule } from "./routing-rule.ts";

/** The paths in the data of stored events, by event key; undefined if events with the key have too many paths. */
export type SeenPaths = ReadonlyMap<string, readonly string[] | undefined>;

export type DoubtfulRule = Pick<RoutingRule, "eventKey" | "conditions" | "conditionMatch">;

const SLASHES = /^\/(?<pattern>.+)\/(?<flags>[gimsuy]*)$/u;

/** Warns of a pattern such as `/disk full/i`, because slashes are ordinary characters in RE2. */
const warnOfSlashPattern = ({ conditions }: DoubtfulRule): Warning[] =>
  conditions.flatMap(({ operator, value }, index): Warning[] => {
    const parts = operator === "matches_regex" && typeof value === "string" ? SLASHES.exec(value)?.groups : undefined;
    if (parts === undefined) return [];
    const meant = `${parts["pattern"]}${parts["flags"]?.includes("i") === true ? " with ignoreCase" : ""}`;
    return [
      {
        code: "pattern_in_slashes",
        field: `conditions[${index}].value`,
        message: `The pattern matches only texts that contain its slashes. Did you mean ${meant}?`,
        params: { meant },
      },
    ];
  });

const warnOfContradiction = (rule: DoubtfulRule): Warning[] => {
  const field = findContradiction(rule);
  if (field === undefined) return [];
  return [
    {
      code: "contradiction",
      field: "conditions",
      message: `The conditions on ${field} contradict each other, so the rule never matches.`,
      params: { field },
    },
  ];
};

/** Returns the name that is most similar to the text, as a warning's parameter `meant`; no parameter if no name is similar. */
const suggestMeantName = (text: string, names: readonly string[]): { meant?: string } => {
  const meant = findNearest(text, names);
  return meant === undefined ? {} : { meant };
};

/** Warns of conditions on fields that no event has had. `seen`: the known paths of each matching event key. */
const warnOfUnseenFields = (
  { conditions }: DoubtfulRule,
  seen: readonly (readonly string[] | undefined)[],
): Warning[] => {
  if (seen.length === 0 || seen.includes(undefined)) return [];
  const paths = [...new Set(seen.flatMap((known) => known ?? []))];
  return conditions.flatMap(({ field }, index): Warning[] => {
    if (!field.startsWith("data.") || paths.some((path) => path === field || path.startsWith(`${field}.`))) return [];
    const message = `No event with this event key has contained ${field} so far.${formatSuggestion(field, paths)}`;
    const params = { field, ...suggestMeantName(field, paths) };
    return [{ code: "field_never_seen", field: `conditions[${index}].field`, message, params }];
  });
};

/** Warns that a valid rule might never match. Compares the rule's keys and fields with those of stored events (`seenPaths`). */
export const findRuleDoubts = (rule: DoubtfulRule, seenPaths: SeenPaths): Warning[] => {
  const keys = [...seenPaths.keys()];
  const fitting = keys.filter((key) => matchesEventKey(rule.eventKey, key));
  const unseen: Warning[] =
    keys.length > 0 && fitting.length === 0
      ? [
          {
            code: "event_key_never_seen",
            field: "eventKey",
            message: `No event matching ${rule.eventKey} has arrived so far.${formatSuggestion(rule.eventKey, keys)}`,
            params: { eventKey: rule.eventKey, ...suggestMeantName(rule.eventKey, keys) },
          },
        ]
      : [];
  return [
    ...warnOfSlashPattern(rule),
    ...warnOfContradiction(rule),
    ...unseen,
    ...warnOfUnseenFields(
      rule,
      fitting.map((key) => seenPaths.get(key)),
    ),
  ];
};

type CheckedRule = PlacedRule & Pick<RoutingRule, "enabled" | "eventKey" | "conditions" | "activeHours">;

/** Returns whether the rule's pattern matches all event keys that the other rule's pattern matches. */
const coversEventKey = (rule: CheckedRule, { eventKey }: CheckedRule): boolean =>
  rule.eventKey === eventKey || matchesEventKey(rule.eventKey, eventKey);

/** Returns a function that warns if a rule shares its position in a chain, or if others of `rules` always precede the rule. */
export const createChainChecker = (rules: readonly CheckedRule[]): ((rule: CheckedRule) => Warning[]) => {
  const chains = Map.groupBy(
    rules.filter(({ chain, enabled }) => chain !== null && enabled),
    ({ chain }) => chain,
  );
  const known = new Map(
    [...chains].map(([chain, members]) => [
      chain,
      {
        at: Map.groupBy(members, ({ position }) => position),
        ends: members.filter(({ conditions, activeHours }) => conditions.length === 0 && activeHours === null),
      },
    ]),
  );
  return (rule) => {
    const { chain, position } = rule;
    const others = known.get(chain);
    if (chain === null || others === undefined || !rule.enabled) return [];
    const shared = others.at.get(position)?.find(({ id }) => id !== rule.id);
    const end = others.ends.find(
      (other) => compareInChain(other, rule) < 0 && coversEventKey(other, rule) && (rule.fallback || !other.fallback),
    );
    return [
      ...(shared === undefined
        ? []
        : [
            {
              code: "chain_position_shared",
              field: "position",
              message: `Rule "${shared.name}" has the same position in the chain "${chain}". The names of the rules decide which rule comes first.`,
              params: { rule: shared.name, chain },
            },
          ]),
      ...(end === undefined
        ? []
        : [
            {
              code: "chain_never_reached",
              field: "position",
              message: `This rule never applies: the rule "${end.name}" comes first in the chain "${chain}" and matches the same events.`,
              params: { rule: end.name, chain },
            },
          ]),
    ];
  };
};
