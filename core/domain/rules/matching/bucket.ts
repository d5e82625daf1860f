import { buildBucketIndex, type BucketIndex } from "./bucket-index.ts";
import type { Engine, MatchableRule } from "./engine.ts";
import { collectField } from "./field-index.ts";
import { headOf } from "./field.ts";
import { clearHits } from "./hits.ts";
import { ruleHolds } from "./program.ts";

export type Found = { matched: string[]; overBudget: string[] };

/** The rules of one event key pattern. */
export type Bucket = { add(rule: MatchableRule): void; isEmpty(): boolean; collect(found: Found): void };

export const createBucket = (engine: Engine): Bucket => {
  const { view, meter, hits, regexes, program } = engine;
  const unconditional: string[] = [];
  /** Let go when the first event has them indexed. */
  let added: MatchableRule[] = [];
  let index: BucketIndex | undefined;

  const decide = ({ ids, starts }: BucketIndex, number: number, found: Found): void => {
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
        index = buildBucketIndex(added, engine);
        added = [];
      }
      const { fields, byKey, unindexed } = index;
      clearHits(hits, index.ids.length);
      for (const field of fields) collectField(field, view, meter, hits);
      if (byKey.size > 0) {
        for (const key of Object.keys(view.event.data ?? {})) {
          for (const field of byKey.get(headOf(key)) ?? []) collectField(field, view, meter, hits);
        }
      }
      for (let hit = 0; hit < hits.count; hit += 1) decide(index, hits.rules[hit] ?? 0, found);
      for (const number of unindexed) decide(index, number, found);
    },
  };
};
