import { didYouMean } from "../basics/nearest.ts";
import type { Warning } from "../basics/warning.ts";
import { contradictionIn } from "./contradiction.ts";
import { keyMatches } from "./matching/index.ts";
import type { RoutingRule } from "./routing-rule.ts";

/** What is known of the events that came, by their keys: the paths seen in their data; undefined if there are too many. */
export type Seen = ReadonlyMap<string, readonly string[] | undefined>;

export type DoubtfulRule = Pick<RoutingRule, "eventKey" | "conditions" | "conditionMatch">;

const SLASHES = /^\/(?<pattern>.+)\/(?<flags>[gimsuy]*)$/u;

/** `conditions[2]`: a pattern as other languages write it. RE2 takes the slashes for part of the text. */
const slashed = ({ conditions }: DoubtfulRule): Warning[] =>
  conditions.flatMap(({ operator, value }, index): Warning[] => {
    const parts = operator === "matches_regex" && typeof value === "string" ? SLASHES.exec(value)?.groups : undefined;
    if (parts === undefined) return [];
    const ignoring = parts["flags"]?.includes("i") === true ? " with ignoreCase" : "";
    return [
      {
        code: "pattern_in_slashes",
        field: `conditions[${index}].value`,
        message: `The pattern matches only texts that hold its slashes. Did you mean ${parts["pattern"]}${ignoring}?`,
      },
    ];
  });

const contradicting = (rule: DoubtfulRule): Warning[] => {
  const field = contradictionIn(rule);
  if (field === undefined) return [];
  return [
    {
      code: "contradiction",
      field: "conditions",
      message: `No event can meet all conditions on ${field}: they contradict each other, and the rule never matches.`,
    },
  ];
};

const unseenFields = ({ conditions }: DoubtfulRule, seen: readonly (readonly string[] | undefined)[]): Warning[] => {
  if (seen.length === 0 || seen.includes(undefined)) return [];
  const paths = [...new Set(seen.flatMap((known) => known ?? []))];
  return conditions.flatMap(({ field }, index): Warning[] => {
    if (!field.startsWith("data.") || paths.some((path) => path === field || path.startsWith(`${field}.`))) return [];
    const message = `No event of this key has had ${field} so far.${didYouMean(field, paths)}`;
    return [{ code: "field_never_seen", field: `conditions[${index}].field`, message }];
  });
};

/** Why a rule may never match, although it is well-formed. A workspace without events has no doubts about what comes. */
export const doubtsOf = (rule: DoubtfulRule, seen: Seen): Warning[] => {
  const keys = [...seen.keys()];
  const fitting = keys.filter((key) => keyMatches(rule.eventKey, key));
  const unseen: Warning[] =
    keys.length > 0 && fitting.length === 0
      ? [
          {
            code: "event_key_never_seen",
            field: "eventKey",
            message: `No event that ${rule.eventKey} matches has come so far.${didYouMean(rule.eventKey, keys)}`,
          },
        ]
      : [];
  return [
    ...slashed(rule),
    ...contradicting(rule),
    ...unseen,
    ...unseenFields(
      rule,
      fitting.map((key) => seen.get(key)),
    ),
  ];
};
