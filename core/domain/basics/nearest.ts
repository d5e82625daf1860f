const normalizeName = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, "");

/** Counts the typos between two names: an extra, missing or wrong letter, or two swapped letters. */
const countTypos = (first: string, second: string): number => {
  let before: number[] = [];
  let last = Array.from({ length: second.length + 1 }, (_, index) => index);
  for (let row = 1; row <= first.length; row += 1) {
    const next = [row];
    for (let column = 1; column <= second.length; column += 1) {
      const same = first[row - 1] === second[column - 1];
      let best = Math.min(
        (next[column - 1] ?? 0) + 1,
        (last[column] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
      );
      if (row > 1 && column > 1 && first[row - 1] === second[column - 2] && first[row - 2] === second[column - 1])
        best = Math.min(best, (before[column - 2] ?? 0) + 1);
      next.push(best);
    }
    before = last;
    last = next;
  }
  return last[second.length] ?? 0;
};

const negations = ["not", "nt", "non", "un"];
const opposites = [
  ["in", "ex"],
  ["en", "dis"],
  ["min", "max"],
  ["less", "greater"],
] as const;

/** Returns names with the opposite meaning: `contains` for `not_contains`, and `greater_than` for `less_than`. */
const listOppositeNames = (name: string): string[] => [
  ...negations.filter((word) => name.includes(word)).map((word) => name.replace(word, "")),
  ...opposites.flatMap(([one, other]) => [
    ...(name.includes(one) ? [name.replace(one, other)] : []),
    ...(name.includes(other) ? [name.replace(other, one)] : []),
  ]),
];

/** Returns whether the names differ by a word like "not", as `not_contains` and `contains` do, or by opposite words. */
const areOpposite = (first: string, second: string): boolean => {
  const distance = countTypos(first, second);
  return (
    listOppositeNames(first).some((name) => countTypos(name, second) < distance) ||
    listOppositeNames(second).some((name) => countTypos(name, first) < distance)
  );
};

/** Maps words of other services and languages to this service's words. */
const otherWords: Readonly<Record<string, string>> = {
  and: "all",
  or: "any",
  "==": "equals",
  "=": "equals",
  eq: "equals",
  is: "equals",
  "!=": "not_equals",
  ne: "not_equals",
  neq: "not_equals",
  ">": "greater_than",
  gt: "greater_than",
  ">=": "greater_than_or_equal",
  gte: "greater_than_or_equal",
  "<": "less_than",
  lt: "less_than",
  "<=": "less_than_or_equal",
  lte: "less_than_or_equal",
  in: "one_of",
  not_in: "not_one_of",
  regex: "matches_regex",
  matches: "matches_regex",
  "=~": "matches_regex",
  exists: "is_not_empty",
  p1: "URGENT",
  1: "URGENT",
  emergency: "URGENT",
  fatal: "URGENT",
  p2: "HIGH",
  2: "HIGH",
  error: "HIGH",
  major: "HIGH",
  p3: "NORMAL",
  3: "NORMAL",
  medium: "NORMAL",
  moderate: "NORMAL",
  warning: "NORMAL",
  warn: "NORMAL",
  p4: "LOW",
  4: "LOW",
  p5: "LOW",
  5: "LOW",
  info: "LOW",
  minor: "LOW",
  closed: "resolved",
  interval: "everySeconds",
  period: "everySeconds",
  grace: "graceSeconds",
  per_page: "limit",
  pagesize: "limit",
  event: "eventKey",
  title: "name",
};

const NAME_MAX_CHARACTERS = 64;

/** Returns the most similar name with at most one typo per three letters, but none of the opposite meaning; or undefined. */
export const findNearest = (text: string, names: readonly string[]): string | undefined => {
  if (text.length > NAME_MAX_CHARACTERS) return undefined;
  const word = text.trim().toLowerCase();
  const same = Object.hasOwn(otherWords, word) ? otherWords[word] : undefined;
  if (same !== undefined && names.includes(same) && !names.includes(text)) return same;
  const wanted = normalizeName(text);
  let found: string | undefined;
  let least = Math.floor(wanted.length / 3) + 1;
  for (const name of names) {
    const distance = countTypos(wanted, normalizeName(name));
    if (distance < least && !areOpposite(wanted, normalizeName(name))) [found, least] = [name, distance];
  }
  return found;
};

/** Returns " Did you mean NAME?" with the most similar name; an empty text if none is similar. */
export const formatSuggestion = (text: string, names: readonly string[]): string => {
  const name = findNearest(text, names);
  return name === undefined ? "" : ` Did you mean ${name}?`;
};

const NEGATION_FIRST = /^(?:is|does|do)?(?:not|nt|non|un)(?=.)/;

/** Returns the name most similar to the text without its "not": `contains` for `does_not_contain`; undefined if none. */
export const findNearestOpposite = (text: string, names: readonly string[]): string | undefined => {
  const wanted = normalizeName(text.slice(0, NAME_MAX_CHARACTERS));
  const rest = wanted.replace(NEGATION_FIRST, "");
  return rest === wanted ? undefined : findNearest(rest, names);
};
