import { chooseAccesses, varietyOf, type ChosenAccess, type Variety } from "./access.ts";
import { readyCondition, type Engine, type MatchableRule } from "./engine.ts";
import { createFieldIndex, indexRule, type FieldIndex } from "./field-index.ts";
import { firstKey } from "./field.ts";
import { gramHashes } from "./grams.ts";
import { addRule, type ReadyCondition } from "./program.ts";
import { learnValue, slotOf } from "./slot.ts";

/** Rules by number: their ids, where their conditions begin, and how an event finds them. */
export type BucketIndex = {
  ids: string[];
  starts: Int32Array;
  /** The fields that every event is asked for. */
  fields: FieldIndex[];
  /** Where there are very many: those under `data` by the first key of their path, asked for only if the event has it. */
  byKey: Map<string, FieldIndex[]>;
  /** The numbers of the rules that no index finds. */
  unindexed: number[];
};

/** Up to so many rules, testing each is quicker than looking them up. */
const SCAN_MAX = 8;
/** From so many rules on, those that are found together are laid side by side. */
const CLUSTER_MIN = 2_000;

/** Up to so many fields, asking an event for each is quicker than asking which it has. */
const FIELDS_MAX = 48;

type PlacedRule = { id: string; conditions: readonly ReadyCondition[]; any: boolean; accesses: ChosenAccess[] };

/** A number that rules share or come near to when an event is likely to find them together. */
const clusterOf = ({ accesses: [first] }: PlacedRule, engine: Engine): number => {
  if (first === undefined) return -1;
  const slot = slotOf(engine.view, first.condition.field);
  const base = slot.place * 2 ** 34;
  const { access } = first;
  switch (access.kind) {
    case "values": {
      const [value = ""] = access.values;
      const { textId, numberId } = learnValue(slot, value);
      return base + Math.max(textId, numberId);
    }
    case "needle":
      return base + 2 ** 32 + (gramHashes(access.needle)[0] ?? 0);
    case "range":
      return base + 2 ** 33 + Math.max(-(2 ** 31), Math.min(2 ** 31, access.low));
    case "present":
    case "absent":
    case "any":
      return base + 2 ** 34 - 1;
  }
};

/**
 * Reading memory at random is most of what matching among many rules costs: rules that are found together had better lie
 * together.
 */
const cluster = (rules: PlacedRule[], engine: Engine): PlacedRule[] => {
  const keys = Float64Array.from(rules, (rule) => clusterOf(rule, engine));
  const order = Uint32Array.from(rules.keys()).sort((a, b) => (keys[a] ?? 0) - (keys[b] ?? 0));
  return Array.from(order, (number) => rules[number]).filter((rule) => rule !== undefined);
};

const place = (rules: readonly MatchableRule[]): PlacedRule[] => {
  const placed = rules.map(({ id, conditions, conditionMatch }) => ({
    id,
    conditions: (conditions ?? []).map(readyCondition),
    any: conditionMatch === "any",
    accesses: [],
  }));
  if (rules.length <= SCAN_MAX) return placed;
  const variety: Variety = varietyOf(placed);
  return placed.map((rule) => ({ ...rule, accesses: chooseAccesses(rule.conditions, rule.any, variety) }));
};

export const buildBucketIndex = (rules: readonly MatchableRule[], engine: Engine): BucketIndex => {
  const { view, regexes, program } = engine;
  const placed = place(rules);
  const ordered = placed.length < CLUSTER_MIN ? placed : cluster(placed, engine);
  const starts = new Int32Array(rules.length);
  const fields = new Map<string, FieldIndex>();
  const unindexed: number[] = [];

  for (const [number, { conditions, any, accesses }] of ordered.entries()) {
    if (accesses.length === 0) unindexed.push(number);
    for (const { condition, access } of accesses) {
      let index = fields.get(condition.field);
      if (index === undefined) {
        index = createFieldIndex(slotOf(view, condition.field));
        fields.set(condition.field, index);
      }
      indexRule(index, access, number);
    }
    const [only] = accesses;
    const isProven = !any && only?.access.kind === "values" && only.access.exact;
    const open = isProven ? conditions.filter((condition) => condition !== only.condition) : conditions;
    starts[number] = addRule(program, open, any, view, regexes);
  }
  return { ids: ordered.map((rule) => rule.id), starts, ...divide([...fields.values()]), unindexed };
};

const divide = (all: FieldIndex[]): Pick<BucketIndex, "fields" | "byKey"> => {
  if (all.length <= FIELDS_MAX) return { fields: all, byKey: new Map() };
  const fields: FieldIndex[] = [];
  const byKey = new Map<string, FieldIndex[]>();
  for (const index of all) {
    const key = firstKey(index.slot.field);
    // A missing field can be what a rule waits for.
    if (key === undefined || index.absent.length > 0) fields.push(index);
    else byKey.set(key, [...(byKey.get(key) ?? []), index]);
  }
  return { fields, byKey };
};
