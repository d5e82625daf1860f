import { chooseAccesses, varietyOf } from "./access.ts";
import { readyCondition, type Engine, type MatchableRule } from "./engine.ts";
import { collectField, createFieldIndex, indexRule, type FieldIndex } from "./field-index.ts";
import { clearHits } from "./hits.ts";
import { addRule, ruleHolds, type ReadyCondition } from "./program.ts";
import { slotOf } from "./slot.ts";

export type Found = { matched: string[]; overBudget: string[] };

/** The rules of one event key pattern. */
export type Bucket = { add(rule: MatchableRule): void; isEmpty(): boolean; collect(found: Found): void };

/** Up to so many rules, testing each is quicker than looking them up. */
const SCAN_MAX = 8;

/** Rules by number: their ids, where their conditions begin, and how an event finds them. */
type Index = { ids: string[]; starts: Int32Array; fields: FieldIndex[]; unindexed: number[] };

type ReadyRule = { id: string; conditions: readonly ReadyCondition[]; any: boolean };

const buildIndex = (rules: readonly ReadyRule[], engine: Engine): Index => {
  const { view, regexes, program } = engine;
  const starts = new Int32Array(rules.length);
  const fields = new Map<string, FieldIndex>();
  const unindexed: number[] = [];
  const isSmall = rules.length <= SCAN_MAX;
  const variety = isSmall ? new Map() : varietyOf(rules);

  for (const [number, { conditions, any }] of rules.entries()) {
    const accesses = isSmall ? [] : chooseAccesses(conditions, any, variety);
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
  return { ids: rules.map((rule) => rule.id), starts, fields: [...fields.values()], unindexed };
};

export const createBucket = (engine: Engine): Bucket => {
  const { view, meter, hits, regexes, program } = engine;
  const unconditional: string[] = [];
  /** Let go when the first event has them indexed. */
  let added: MatchableRule[] = [];
  let index: Index | undefined;

  const decide = ({ ids, starts }: Index, number: number, found: Found): void => {
    meter.refused = false;
    const verdict = ruleHolds(program, starts[number] ?? 0, view, meter, regexes);
    if (!verdict && !meter.refused) return;
    const id = ids[number] ?? "";
    found.matched.push(id);
    if (!verdict) found.overBudget.push(id);
  };

  return {
    add: (rule) => {
      if ((rule.conditions?.length ?? 0) === 0) unconditional.push(rule.id);
      else added.push(rule);
    },
    isEmpty: () => unconditional.length + added.length + (index?.ids.length ?? 0) === 0,
    collect: (found) => {
      for (const id of unconditional) found.matched.push(id);
      if (index === undefined) {
        const ready = added.map(({ id, conditions, conditionMatch }) => ({
          id,
          conditions: (conditions ?? []).map(readyCondition),
          any: conditionMatch === "any",
        }));
        index = buildIndex(ready, engine);
        added = [];
      }
      const { fields, unindexed } = index;
      if (fields.length > 0) {
        clearHits(hits, index.ids.length);
        for (const field of fields) collectField(field, view, hits);
        for (let hit = 0; hit < hits.count; hit += 1) decide(index, hits.rules[hit] ?? 0, found);
      }
      for (const number of unindexed) decide(index, number, found);
    },
  };
};
