import { readyCondition, type Engine, type MatchableRule } from "./engine.ts";
import { collectNeedles, type Needles } from "./needles.ts";
import { addRule, requiredSearch, ruleHolds, type ReadyCondition } from "./program.ts";
import type { TextSearch } from "./search.ts";
import { learnValue, slotOf, UNKNOWN, walkEvent, type EventSlots, type Slot } from "./slot.ts";

export type Found = { matched: string[]; overBudget: string[] };

/** The rules of one event key pattern. */
export type Bucket = {
  /** The ids of the rules without conditions. */
  unconditional: string[];
  rules: MatchableRule[];
  index: BucketIndex | undefined;
};

/** How an event finds rules. Rules are numbers: their places in the bucket. */
type BucketIndex = {
  /** Beside the rules: to look into each that matches would be to wait for memory. */
  ids: string[];
  /** Where each rule begins in the program; one is compiled when an event first comes near it. */
  starts: number[];
  /** The rules that nothing narrows down. */
  always: number[];
  /** From the id of a value or a search to the latest entry filed under it: its rule, and the entry before it. */
  latest: Map<number, number>;
  rules: number[];
  previous: number[];
  /** By the place of a field; none where the field finds no rule. */
  fields: (FieldIndex | undefined)[];
};

type FieldIndex = {
  /** Rules that it finds whenever the event has it. */
  present: number[] | undefined;
  /** Low end, high end and rule of each range. */
  ranges: number[] | undefined;
  needles: Needles | undefined;
};

export const createBucket = (): Bucket => ({ unconditional: [], rules: [], index: undefined });

/** Up to so many rules, testing each is quicker than looking them up. */
const SCAN_MAX = 12;

/** How the rules of a condition are found. Where the condition holds, the access finds the rule. */
type Access = {
  slot: Slot;
  /** The ids of the values of which the event must have one; none where it need only have the field. */
  values?: number[];
  search?: TextSearch;
  /** The ends of a range of doubles, both included. */
  low?: number;
  high?: number;
  /** The share of events that is guessed to find it. Only the order of shares matters, never a result. */
  share: number;
};

/** Undefined where nothing narrows the events down. */
const accessOf = ({ field, form, negated }: ReadyCondition, view: EventSlots): Access | undefined => {
  const slot = slotOf(view, field);
  if (form.kind === "among") {
    const known = form.values.map((value) => learnValue(slot, value, view));
    if (negated) return undefined;
    const values = known.flatMap(({ textId, numberId }) => [textId, numberId]).filter((id) => id !== UNKNOWN);
    return { slot, values, share: Math.min(0.9, form.values.length / (slot.texts.size + slot.numbers.size)) };
  }
  if (negated) return undefined;
  if (form.kind === "within") {
    const low = form.low?.at.number ?? Number.NEGATIVE_INFINITY;
    const high = form.high?.at.number ?? Number.POSITIVE_INFINITY;
    return { slot, low, high, share: form.low === undefined || form.high === undefined ? 0.5 : 0.15 };
  }
  const search = requiredSearch(form, slot, view);
  if (search !== undefined) {
    return { slot, search, share: 0.3 };
  }
  return slot.path === undefined ? undefined : { slot, share: 0.8 };
};

/** Under its most selective condition when all must hold, under each when any may; undefined: every event tests it. */
const chooseAccesses = (accesses: readonly (Access | undefined)[], any: boolean): readonly Access[] | undefined => {
  const narrowing = accesses.filter((access) => access !== undefined);
  if (any) return narrowing.length === accesses.length ? narrowing : undefined;
  if (narrowing.length === 0) return undefined;
  return [narrowing.reduce((left, right) => (right.share < left.share ? right : left))];
};

const fileUnder = (index: BucketIndex, id: number, rule: number): void => {
  index.previous.push(index.latest.get(id) ?? UNKNOWN);
  index.latest.set(id, index.rules.push(rule) - 1);
};

const file = (index: BucketIndex, { slot, values, search, low, high }: Access, rule: number): void => {
  const field = (index.fields[slot.place] ??= {
    present: undefined,
    ranges: undefined,
    needles: undefined,
  });
  if (values !== undefined) {
    for (const id of values) fileUnder(index, id, rule);
  } else if (search !== undefined) {
    if (!index.latest.has(search.id)) (field.needles ??= { searches: [], table: undefined }).searches.push(search);
    fileUnder(index, search.id, rule);
  } else if (low !== undefined && high !== undefined) (field.ranges ??= []).push(low, high, rule);
  else (field.present ??= []).push(rule);
};

/** Gives back the room to grow that arrays keep: there are many, and most of them are short. */
const trim = (index: BucketIndex): void => {
  index.rules = index.rules.slice();
  index.previous = index.previous.slice();
  index.fields = index.fields.slice();
  for (const field of index.fields) {
    if (field === undefined) continue;
    field.present = field.present?.slice();
    field.ranges = field.ranges?.slice();
    if (field.needles !== undefined) field.needles.searches = field.needles.searches.slice();
  }
};

/** Makes known which fields and values the rules name: to be called before an event is shown. */
export const prepareBucket = (bucket: Bucket, { view }: Engine): void => {
  if (bucket.index !== undefined) return;
  const { rules } = bucket;
  const index: BucketIndex = {
    ids: rules.map(({ id }) => id),
    starts: rules.map(() => UNKNOWN),
    always: [],
    latest: new Map(),
    rules: [],
    previous: [],
    fields: [],
  };
  bucket.index = index;
  for (const [number, { conditions = [], conditionMatch }] of rules.entries()) {
    const accesses = conditions.map((condition) => accessOf(readyCondition(condition), view));
    const chosen = rules.length > SCAN_MAX ? chooseAccesses(accesses, conditionMatch === "any") : undefined;
    if (chosen === undefined) index.always.push(number);
    else for (const access of chosen) file(index, access, number);
  }
  trim(index);
};

/** Adds the rules that fire for the event that is shown. */
export const collectBucket = (bucket: Bucket, engine: Engine, found: Found): void => {
  const { unconditional, rules, index } = bucket;
  for (const id of unconditional) found.matched.push(id);
  if (index === undefined || rules.length === 0) return;
  const { ids, starts, always, latest, previous, fields } = index;
  const { view, meter, program, regexes } = engine;

  const compiled = (number: number): number => {
    const { conditions = [], conditionMatch } = rules[number] ?? {};
    const start = addRule(program, conditions.map(readyCondition), conditionMatch === "any", view, regexes);
    starts[number] = start;
    return start;
  };
  const decide = (number: number): void => {
    const known = starts[number] ?? UNKNOWN;
    meter.refused = false;
    const verdict = ruleHolds(program, known === UNKNOWN ? compiled(number) : known, view, meter, regexes);
    if (!verdict && !meter.refused) return;
    const id = ids[number] ?? "";
    found.matched.push(id);
    if (!verdict) found.overBudget.push(id);
  };
  const decideFiled = (id: number): void => {
    for (let entry = latest.get(id) ?? UNKNOWN; entry !== UNKNOWN; entry = previous[entry] ?? UNKNOWN) {
      decide(index.rules[entry] ?? 0);
    }
  };

  for (const rule of always) decide(rule);
  if (always.length === rules.length) return;
  walkEvent(view);
  for (const slot of view.filled) {
    const field = fields[slot.place];
    if (field === undefined) continue;
    const { present, ranges, needles } = field;
    if (present !== undefined) for (const rule of present) decide(rule);
    if (slot.textId !== UNKNOWN) decideFiled(slot.textId);
    if (slot.numberId !== UNKNOWN) decideFiled(slot.numberId);
    const { number } = slot.value;
    if (ranges !== undefined && !Number.isNaN(number)) {
      // To look at each in a row is quicker than to keep them in an order, up to thousands.
      for (let at = 0; at < ranges.length; at += 3) {
        if (number >= (ranges[at] ?? 0) && number <= (ranges[at + 1] ?? 0)) decide(ranges[at + 2] ?? 0);
      }
    }
    if (needles !== undefined) collectNeedles(needles, slot, view, meter, decideFiled);
  }
};
