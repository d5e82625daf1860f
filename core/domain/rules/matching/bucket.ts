import { prepareCondition, type Engine, type MatchableRule } from "./engine.ts";
import { collectNeedles, type Needles } from "./needles.ts";
import { addRule, findRequiredSearch, doesRuleMatch, type ReadyCondition } from "./program.ts";
import type { TextSearch } from "./event-slots.ts";
import { registerValue, findOrAddSlot, UNKNOWN, readEventFields, type EventSlots, type Slot } from "./event-slots.ts";

/** Ids of rules. `matched` also contains the rules in `overBudget`, whose check exceeded the budget. */
export type RuleMatches = { matched: string[]; overBudget: string[] };

export type Bucket = {
  unconditional: string[];
  /** The rules with conditions, until the first event moves them to the index. */
  rules: MatchableRule[];
  index: BucketIndex | undefined;
};

/** Finds the rules that an event may match. A rule's number is its index in `rules`, `ids` and `starts`. */
type BucketIndex = {
  rules: readonly MatchableRule[];
  /** The ids have their own list, because reading the id from each rule's object is slower. */
  ids: readonly string[];
  /** The index at which each rule begins in the compiled program; UNKNOWN until an event needs the rule. */
  starts: Int32Array;
  /** How many rules, at the start of `rules`, must be tested for every event. */
  always: number;
  /** Maps the id of a value, search or field to an offset in `filed`, which contains the number of rules, then the rules. */
  offsets: ReadonlyMap<number, number>;
  filed: Int32Array;
  fields: readonly (FieldIndex | undefined)[];
};

type FieldIndex = {
  /** The ranges of rules, each as three numbers: low end, high end, rule. */
  ranges: number[] | undefined;
  needles: Needles | undefined;
};

export const createBucket = (): Bucket => ({ unconditional: [], rules: [], index: undefined });

/** The number of rules up to which testing each rule is faster than an index. */
const SCAN_MAX = 12;

/** How the index finds a rule by one of its conditions, for every event that meets the condition. */
type Access = {
  slot: Slot;
  /** The ids of values, of a search, or of the field: the index finds the rule if an event has one of the ids. */
  ids: number[];
  search?: TextSearch;
  /** If set instead of `ids`: the event's number must be in this range, which includes both ends. */
  range?: [number, number];
  /** The estimated share of events for which the index finds the rule. The estimate never decides whether a rule fires. */
  share: number;
};

const countKnownValues = ({ texts, foldedTexts, numbers }: Slot): number =>
  texts.size + (foldedTexts?.size ?? 0) + numbers.size;

/** Returns how the index finds a rule by a condition; undefined if the condition excludes no events. */
const findAccess = ({ field, form, negated }: ReadyCondition, slots: EventSlots): Access | undefined => {
  const slot = findOrAddSlot(slots, field);
  if (form.kind === "among") {
    const known = form.values.map((value) => registerValue(slot, value, form.ignoresCase, slots));
    if (negated) return undefined;
    const ids = known.flatMap(({ textId, numberId }) => [textId, numberId]).filter((id) => id !== UNKNOWN);
    return { slot, ids, share: Math.min(0.9, form.values.length / countKnownValues(slot)) };
  }
  if (negated) return undefined;
  if (form.kind === "within") {
    const low = form.low?.at.number ?? Number.NEGATIVE_INFINITY;
    const high = form.high?.at.number ?? Number.POSITIVE_INFINITY;
    const share = form.low === undefined || form.high === undefined ? 0.5 : 0.15;
    return { slot, ids: [], range: [low, high], share };
  }
  const search = findRequiredSearch(form, slot, slots);
  if (search !== undefined) return { slot, ids: [search.id], search, share: 0.3 };
  return slot.path === undefined ? undefined : { slot, ids: [slot.id], share: 0.8 };
};

/** Returns the conditions by which the index finds a rule: the most selective, or all if `isAnyEnough`; undefined if none. */
const chooseAccesses = (
  accesses: readonly (Access | undefined)[],
  isAnyEnough: boolean,
): readonly Access[] | undefined => {
  const narrowing = accesses.filter((access) => access !== undefined);
  if (isAnyEnough) return narrowing.length === accesses.length ? narrowing : undefined;
  if (narrowing.length === 0) return undefined;
  return [narrowing.reduce((left, right) => (right.share < left.share ? right : left))];
};

type Groups = Map<number, number[]>;

/** Adds the rule's number to the index: to `groups` under each id, and the range or the search to `fields`. */
const indexRule = ({ slot, ids, search, range }: Access, rule: number, groups: Groups, fields: FieldIndex[]): void => {
  const field = (fields[slot.index] ??= { ranges: undefined, needles: undefined });
  if (range !== undefined) (field.ranges ??= []).push(...range, rule);
  if (search !== undefined && !groups.has(search.id)) {
    (field.needles ??= { searches: [], table: undefined }).searches.push(search);
  }
  for (const id of ids) {
    const group = groups.get(id);
    if (group === undefined) groups.set(id, [rule]);
    else group.push(rule);
  }
};

/** Builds the bucket's index. Must run before `setCurrentEvent` is called. */
export const prepareBucket = (bucket: Bucket, { slots }: Engine): void => {
  if (bucket.index !== undefined) return;
  const isScanned = bucket.rules.length <= SCAN_MAX;
  const ordered = bucket.rules.map((rule) => {
    const { conditions = [], conditionMatch } = rule;
    const all = conditions.map((condition) => findAccess(prepareCondition(condition), slots));
    const accesses = isScanned ? undefined : chooseAccesses(all, conditionMatch === "any");
    const first = accesses?.[0];
    return { rule, accesses, order: first?.ids[0] ?? first?.slot.id ?? 0 };
  });
  // Rules that the index finds together are stored next to each other, because reading scattered memory is slow.
  ordered.sort((left, right) => left.order - right.order);
  const fields: FieldIndex[] = [];
  const groups: Groups = new Map();
  for (const [rule, { accesses = [] }] of ordered.entries()) {
    for (const access of accesses) indexRule(access, rule, groups, fields);
  }
  const offsets = new Map<number, number>();
  const filed: number[] = [];
  for (const [id, group] of groups) {
    offsets.set(id, filed.push(group.length) - 1);
    for (const rule of group) filed.push(rule);
  }
  // Copies each array to free its unused capacity, because there are many short arrays.
  for (const field of Object.values(fields)) {
    field.ranges = field.ranges?.slice();
    if (field.needles !== undefined) field.needles.searches = field.needles.searches.slice();
  }
  bucket.rules = [];
  bucket.index = {
    rules: ordered.map(({ rule }) => rule),
    ids: ordered.map(({ rule }) => rule.id),
    starts: new Int32Array(ordered.length).fill(UNKNOWN),
    always: ordered.filter(({ accesses }) => accesses === undefined).length,
    offsets,
    filed: new Int32Array(filed),
    fields,
  };
};

/** Adds the rule to the program, and returns the index at which the rule begins. */
const compileRule = ({ rules, starts }: BucketIndex, ruleIndex: number, engine: Engine): number => {
  const { conditions = [], conditionMatch } = rules[ruleIndex] ?? {};
  const ready = conditions.map(prepareCondition);
  const start = addRule(engine.program, ready, conditionMatch === "any", engine.slots, engine.regexes);
  starts[ruleIndex] = start;
  return start;
};

/** Adds the rule to `matches` if the rule matches, or if the budget ran out. */
const addRuleIfMatching = (index: BucketIndex, ruleIndex: number, engine: Engine, matches: RuleMatches): void => {
  const { program, slots, meter, regexes } = engine;
  const known = index.starts[ruleIndex] ?? UNKNOWN;
  const start = known === UNKNOWN ? compileRule(index, ruleIndex, engine) : known;
  meter.refused = false;
  const verdict = doesRuleMatch(program, start, slots, meter, regexes);
  if (!verdict && !meter.refused) return;
  const id = index.ids[ruleIndex] ?? "";
  matches.matched.push(id);
  if (!verdict) matches.overBudget.push(id);
};

/** Adds to `matches` the matching rules that the index contains for the `id` of a value, search or field. */
const addMatchingRulesOfId = (index: BucketIndex, id: number, engine: Engine, matches: RuleMatches): void => {
  const { offsets, filed } = index;
  const offset = offsets.get(id);
  if (offset === undefined) return;
  const end = offset + (filed[offset] ?? 0);
  for (let entry = offset + 1; entry <= end; entry += 1) addRuleIfMatching(index, filed[entry] ?? 0, engine, matches);
};

/** Adds to `matches` the rules of the bucket that match the current event. */
export const collectMatches = ({ unconditional, index }: Bucket, engine: Engine, matches: RuleMatches): void => {
  for (const id of unconditional) matches.matched.push(id);
  if (index === undefined) return;
  const { always, fields } = index;
  for (let rule = 0; rule < always; rule += 1) addRuleIfMatching(index, rule, engine, matches);
  if (fields.length === 0) return;
  const { slots, meter } = engine;
  readEventFields(slots);
  const decideRulesOfSearch = (id: number): void => addMatchingRulesOfId(index, id, engine, matches);
  for (const slot of slots.filled) {
    const field = fields[slot.index];
    if (field === undefined) continue;
    const { ranges, needles } = field;
    addMatchingRulesOfId(index, slot.id, engine, matches);
    if (slot.textId !== UNKNOWN) addMatchingRulesOfId(index, slot.textId, engine, matches);
    if (slot.foldedId !== UNKNOWN) addMatchingRulesOfId(index, slot.foldedId, engine, matches);
    if (slot.numberId !== UNKNOWN) addMatchingRulesOfId(index, slot.numberId, engine, matches);
    const { number } = slot.value;
    if (ranges !== undefined && !Number.isNaN(number)) {
      // For up to thousands of ranges, a scan is faster than a sorted structure.
      for (let at = 0; at < ranges.length; at += 3) {
        if (number >= (ranges[at] ?? 0) && number <= (ranges[at + 1] ?? 0))
          addRuleIfMatching(index, ranges[at + 2] ?? 0, engine, matches);
      }
    }
    if (needles === undefined) continue;
    collectNeedles(needles, slot, slots, meter, decideRulesOfSearch);
  }
};
