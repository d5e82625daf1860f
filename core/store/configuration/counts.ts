import * as v from "valibot";
import { AGAIN, retryChange } from "../../domain/basics/attempt.ts";
import type { TableDeps } from "../../deps.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import { CONDITIONS_MAX_BYTES, EVENT_NOTIFICATIONS_MAX, GROUP_MEMBERS_MAX } from "../../domain/basics/limits.ts";
import { invalidInput, Refusal } from "../../domain/basics/refusal.ts";
import { countJsonSize } from "../../domain/basics/text.ts";
import {
  findCostlyPatterns,
  listPatterns,
  PATTERNS_UNITS_MAX,
  sumPatternCost,
} from "../../domain/rules/matching/index.ts";
import { deflatedOrPlain } from "../codec.ts";
import { anyGroupMemberPrefix, countsKey, peoplePk, rulesPk, type Key } from "../keys.ts";
import { getItem, putItemIf, queryItems, updateItem, type Range } from "../table.ts";

/*
 * A count is raised before an item is created, so that requests need not count the stored items. A count can become too high if a
 * request dies before it creates the item, or if a deletion does not lower the count. Before a refusal, the stored items are
 * counted again. Two requests that count at the same time may both succeed, and together exceed the limit.
 */

const Counts = v.record(v.string(), v.unknown());
const Keyed = v.object({ sk: v.string() });
/** Rules and silences have conditions. Webhooks and connections, which are in the same partition, have no conditions. */
const Conditioned = v.object({ conditions: v.optional(deflatedOrPlain(v.array(v.unknown())), []) });

export type Countable = {
  /** The attribute that contains the count. `noun`: the plural of the counted items in messages. */
  name: "rules" | "groups" | "policies" | "silences" | "heartbeats" | "webhooks" | "connections";
  noun: string;
  max: number;
  range: Range;
};

export type Increase = {
  name: Countable["name"] | "conditionBytes" | "patternUnits" | "groupPlaces" | "told";
  by: number;
  max: number;
  /** Returns the number of stored items plus the planned increase. */
  countAfter: () => Promise<number>;
  refusal: (after: number) => Refusal;
};

const readCount = (item: Record<string, unknown> | undefined, name: Increase["name"]): number | undefined => {
  const amount = item?.[name];
  return typeof amount === "number" ? amount : undefined;
};

/** Reserves all increases of a workspace's counts or none, in one write. Counts stored items again before throwing a refusal. */
export const reserveCounts = async (deps: TableDeps, ws: WorkspaceId, ...all: readonly Increase[]): Promise<void> => {
  const increases = all.filter(({ by }) => by > 0);
  if (increases.length === 0) return;
  const mapIncreases = (format: (index: number) => string) => increases.map((_, index) => format(index));
  const values = increases.flatMap(({ by, max }, index) => [
    [`:by${index}`, by],
    [`:room${index}`, max - by],
  ]);
  await retryChange({ item: `the counts of ${increases.map(({ name }) => name).join(", ")} of ${ws}` }, async () => {
    const grown = await updateItem(deps, countsKey(ws), Counts, {
      update: `SET ${mapIncreases((index) => `#n${index} = #n${index} + :by${index}`).join(", ")}`,
      condition: mapIncreases((index) => `#n${index} <= :room${index}`).join(" AND "),
      names: Object.fromEntries(increases.map(({ name }, index) => [`#n${index}`, name])),
      values: Object.fromEntries(values),
    });
    if (grown.kind === "done") return undefined;
    const counted: CountChange[] = [];
    for (const { name, by, max, countAfter, refusal } of increases) {
      const seen = readCount(grown.item, name);
      const after = seen !== undefined && seen + by <= max ? seen + by : await countAfter();
      if (after > max) throw refusal(after);
      counted.push({ name, seen, after });
    }
    return (await storeRecounts(deps, countsKey(ws), grown.item === undefined, counted)) ? undefined : AGAIN;
  });
};

type CountChange = { name: Increase["name"]; seen: number | undefined; after: number };

/** Stores new counts. `isNew`: whether no counts are stored yet. Returns false if a count has changed since it was read. */
const storeRecounts = async (
  deps: TableDeps,
  key: Key,
  isNew: boolean,
  counted: readonly CountChange[],
): Promise<boolean> => {
  if (isNew) {
    const item = Object.fromEntries(counted.map(({ name, after }) => [name, after]));
    return (await putItemIf(deps, key, item, Counts)).kind === "done";
  }
  const values = counted.flatMap(({ seen, after }, index) => [
    [`:after${index}`, after],
    ...(seen === undefined ? [] : [[`:seen${index}`, seen]]),
  ]);
  const corrected = await updateItem(deps, key, Counts, {
    update: `SET ${counted.map((_, index) => `#n${index} = :after${index}`).join(", ")}`,
    condition: counted
      .map(({ seen }, index) =>
        seen === undefined ? `attribute_not_exists(#n${index})` : `#n${index} = :seen${index}`,
      )
      .join(" AND "),
    names: Object.fromEntries(counted.map(({ name }, index) => [`#n${index}`, name])),
    values: Object.fromEntries(values),
  });
  return corrected.kind === "done";
};

export const refuseAtLimit = (message: string): Refusal => new Refusal("limit_reached", message);

export const createIncreaseByOne = (deps: TableDeps, { name, noun, max, range }: Countable): Increase => ({
  name,
  by: 1,
  max,
  countAfter: async () => (await queryItems(deps, range, Keyed)).length + 1,
  refusal: () => refuseAtLimit(`A workspace has at most ${max} ${noun}. Delete one first.`),
});

/** Lowers a count by one, but not below 0. */
export const lowerCount = async (deps: TableDeps, ws: WorkspaceId, { name }: Countable): Promise<void> => {
  await updateItem(deps, countsKey(ws), Counts, {
    update: "SET #name = #name - :one",
    condition: "#name > :zero",
    names: { "#name": name },
    values: { ":one": 1, ":zero": 0 },
  });
};

const countConditionBytes = (conditions: readonly unknown[]): number =>
  conditions.length === 0 ? 0 : countJsonSize(conditions);

const listAllConditions = async (deps: TableDeps, ws: WorkspaceId): Promise<(readonly unknown[])[]> =>
  (await queryItems(deps, { pk: rulesPk(ws) }, Conditioned)).map(({ conditions }) => conditions);

const createIncreaseOfConditionBytes = (
  deps: TableDeps,
  ws: WorkspaceId,
  conditions: readonly unknown[],
  replaced: readonly unknown[],
): Increase => {
  const by = countConditionBytes(conditions) - countConditionBytes(replaced);
  return {
    name: "conditionBytes",
    by,
    max: CONDITIONS_MAX_BYTES,
    countAfter: async () =>
      (await listAllConditions(deps, ws)).reduce((sum, one) => sum + countConditionBytes(one), by),
    refusal: (after) =>
      refuseAtLimit(
        `The conditions of a workspace's rules and silences may have at most ${CONDITIONS_MAX_BYTES} bytes as JSON; ` +
          `with this change they would have ${after}. Shorten or delete some first.`,
      ),
  };
};

/** Returns the increase of the cost of all patterns. Only `countAfter` is exact: `by` ignores equal patterns of other rules. */
const createIncreaseOfPatterns = (
  deps: TableDeps,
  ws: WorkspaceId,
  conditions: readonly unknown[],
  replaced: readonly unknown[],
): Increase => {
  const [own, gone] = [listPatterns([conditions]), listPatterns([replaced])];
  const others = new Set<string>();
  return {
    name: "patternUnits",
    by: sumPatternCost(own.difference(gone)),
    max: PATTERNS_UNITS_MAX,
    countAfter: async () => {
      // A replaced pattern counts only if another rule or silence has an equal pattern.
      const seen = new Map<string, number>();
      for (const list of await listAllConditions(deps, ws))
        for (const pattern of listPatterns([list])) seen.set(pattern, (seen.get(pattern) ?? 0) + 1);
      for (const [pattern, times] of seen) if (times > 1 || !gone.has(pattern)) others.add(pattern);
      return sumPatternCost(others.union(own));
    },
    refusal: () => invalidInput(findCostlyPatterns([{ prefix: "", conditions }], others)),
  };
};

/** Returns how much the bytes and the patterns' cost increase if `conditions` replace the conditions `replaced`. */
export const createIncreaseOfConditions = (
  deps: TableDeps,
  ws: WorkspaceId,
  conditions: readonly unknown[],
  replaced: readonly unknown[] = [],
): Increase[] => [
  createIncreaseOfConditionBytes(deps, ws, conditions, replaced),
  createIncreaseOfPatterns(deps, ws, conditions, replaced),
];

/** Returns an increase by one of the number of group members; a member of two groups counts twice. */
export const createIncreaseOfGroupMembers = (deps: TableDeps, ws: WorkspaceId): Increase => ({
  name: "groupPlaces",
  by: 1,
  max: GROUP_MEMBERS_MAX,
  countAfter: async () =>
    (await queryItems(deps, { pk: peoplePk(ws), prefix: anyGroupMemberPrefix }, Keyed)).length + 1,
  refusal: () =>
    refuseAtLimit(`The groups of a workspace have at most ${GROUP_MEMBERS_MAX} members together. Remove some first.`),
});

/** Returns the increase of `told`, the number of people whom one event may notify. Deletions do not lower this number. */
export const createIncreaseOfNotified = (increase: Pick<Increase, "by" | "countAfter" | "refusal">): Increase => ({
  name: "told",
  max: EVENT_NOTIFICATIONS_MAX,
  ...increase,
});

/** Reads the count of a workspace's rules, which may be too high. */
export const readRuleCount = async (deps: TableDeps, ws: WorkspaceId): Promise<number> =>
  readCount(await getItem(deps, countsKey(ws), Counts), "rules") ?? 0;
