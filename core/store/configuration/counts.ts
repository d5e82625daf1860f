import * as v from "valibot";
import { AGAIN, retryChange } from "../../domain/basics/attempt.ts";
import type { TableDeps } from "../../deps.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import { CONDITIONS_MAX_BYTES, EVENT_NOTIFICATIONS_MAX, GROUP_MEMBERS_MAX } from "../../domain/basics/limits.ts";
import { invalidInput, Refusal } from "../../domain/basics/refusal.ts";
import { jsonSize } from "../../domain/basics/text.ts";
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
 * Counts the limited things of a workspace. A count is raised before the creation, so no request has to count. A
 * request that dies in between, or a deletion that fails to lower the count, leaves it too high. Therefore a
 * workspace that seems full is recounted before a refusal. Two requests that recount at the same moment may both
 * pass, and exceed the limit by what each adds.
 */

const Counts = v.record(v.string(), v.unknown());
const Keyed = v.object({ sk: v.string() });
/** The same partition contains webhooks and connections, which have no conditions. */
const Conditioned = v.object({ conditions: v.optional(deflatedOrPlain(v.array(v.unknown())), []) });

export type Countable = {
  /** The attribute with the count. `noun`: the plural for messages. */
  name: "rules" | "groups" | "policies" | "silences" | "heartbeats" | "webhooks" | "connections";
  noun: string;
  max: number;
  /** Where the items are stored. */
  range: Range;
};

/** A count that is about to grow: its attribute, by how much, and its maximum. */
export type Growth = {
  name: Countable["name"] | "conditionBytes" | "patternUnits" | "groupPlaces" | "told";
  by: number;
  max: number;
  /** Counts the stored items, plus the planned addition. */
  countAfter: () => Promise<number>;
  /** Returns the refusal if the count is too high. */
  refusal: (after: number) => Refusal;
};

const readCountOf = (item: Record<string, unknown> | undefined, name: Growth["name"]): number | undefined => {
  const amount = item?.[name];
  return typeof amount === "number" ? amount : undefined;
};

/**
 * Reserves several additions, all or none, in one write. If a count would exceed its maximum, recounts the stored
 * items first. Throws the first refusal that remains.
 */
export const reserveCounts = async (deps: TableDeps, ws: WorkspaceId, ...all: readonly Growth[]): Promise<void> => {
  const growths = all.filter(({ by }) => by > 0);
  if (growths.length === 0) return;
  const mapGrowths = (text: (index: number) => string) => growths.map((_, index) => text(index));
  const values = growths.flatMap(({ by, max }, index) => [
    [`:by${index}`, by],
    [`:room${index}`, max - by],
  ]);
  await retryChange({ of: `the counts of ${growths.map(({ name }) => name).join(", ")} of ${ws}` }, async () => {
    const grown = await updateItem(deps, countsKey(ws), Counts, {
      update: `SET ${mapGrowths((index) => `#n${index} = #n${index} + :by${index}`).join(", ")}`,
      condition: mapGrowths((index) => `#n${index} <= :room${index}`).join(" AND "),
      names: Object.fromEntries(growths.map(({ name }, index) => [`#n${index}`, name])),
      values: Object.fromEntries(values),
    });
    if (grown.kind === "done") return undefined;
    const counted: Counted[] = [];
    for (const { name, by, max, countAfter, refusal } of growths) {
      const seen = readCountOf(grown.item, name);
      const after = seen !== undefined && seen + by <= max ? seen + by : await countAfter();
      if (after > max) throw refusal(after);
      counted.push({ name, seen, after });
    }
    return (await storeRecounts(deps, countsKey(ws), grown.item === undefined, counted)) ? undefined : AGAIN;
  });
};

type Counted = { name: Growth["name"]; seen: number | undefined; after: number };

/** Stores recounted numbers if all counts are still as they were read. Returns whether they were. */
const storeRecounts = async (
  deps: TableDeps,
  key: Key,
  isNew: boolean,
  counted: readonly Counted[],
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

export const limitRefusal = (message: string): Refusal => new Refusal("limit_reached", message);

export const growthByOne = (deps: TableDeps, { name, noun, max, range }: Countable): Growth => ({
  name,
  by: 1,
  max,
  countAfter: async () => (await queryItems(deps, range, Keyed)).length + 1,
  refusal: () => limitRefusal(`A workspace has at most ${max} ${noun}. Delete one first.`),
});

export const lowerCount = async (deps: TableDeps, ws: WorkspaceId, { name }: Countable): Promise<void> => {
  await updateItem(deps, countsKey(ws), Counts, {
    update: "SET #name = #name - :one",
    condition: "#name > :zero",
    names: { "#name": name },
    values: { ":one": 1, ":zero": 0 },
  });
};

const countBytes = (conditions: readonly unknown[]): number => (conditions.length === 0 ? 0 : jsonSize(conditions));

/** Returns the conditions of each rule and silence. */
const listAllConditions = async (deps: TableDeps, ws: WorkspaceId): Promise<(readonly unknown[])[]> =>
  (await queryItems(deps, { pk: rulesPk(ws) }, Conditioned)).map(({ conditions }) => conditions);

const growthOfBytes = (
  deps: TableDeps,
  ws: WorkspaceId,
  conditions: readonly unknown[],
  replaced: readonly unknown[],
): Growth => {
  const by = countBytes(conditions) - countBytes(replaced);
  return {
    name: "conditionBytes",
    by,
    max: CONDITIONS_MAX_BYTES,
    countAfter: async () => (await listAllConditions(deps, ws)).reduce((sum, one) => sum + countBytes(one), by),
    refusal: (after) =>
      limitRefusal(
        `The conditions of a workspace's rules and silences may have at most ${CONDITIONS_MAX_BYTES} bytes as JSON; ` +
          `with this change they would have ${after}. Shorten or delete some first.`,
      ),
  };
};

/** Returns the growth of patterns. A recount counts each pattern once; between recounts, each write adds its patterns. */
const growthOfPatterns = (
  deps: TableDeps,
  ws: WorkspaceId,
  conditions: readonly unknown[],
  replaced: readonly unknown[],
): Growth => {
  const [own, gone] = [listPatterns([conditions]), listPatterns([replaced])];
  const others = new Set<string>();
  return {
    name: "patternUnits",
    by: sumPatternCost(own.difference(gone)),
    max: PATTERNS_UNITS_MAX,
    countAfter: async () => {
      // The stored conditions include a pattern that is about to be replaced; it is left out unless another rule has
      // it.
      const seen = new Map<string, number>();
      for (const list of await listAllConditions(deps, ws))
        for (const pattern of listPatterns([list])) seen.set(pattern, (seen.get(pattern) ?? 0) + 1);
      for (const [pattern, times] of seen) if (times > 1 || !gone.has(pattern)) others.add(pattern);
      return sumPatternCost(others.union(own));
    },
    refusal: () => invalidInput(findCostlyPatterns([{ prefix: "", conditions }], others)),
  };
};

/** Returns the growths by a rule's or silence's conditions; `replaced` are its previous ones. */
export const growthOfConditions = (
  deps: TableDeps,
  ws: WorkspaceId,
  conditions: readonly unknown[],
  replaced: readonly unknown[] = [],
): Growth[] => [growthOfBytes(deps, ws, conditions, replaced), growthOfPatterns(deps, ws, conditions, replaced)];

export const growthOfGroupMembers = (deps: TableDeps, ws: WorkspaceId): Growth => ({
  name: "groupPlaces",
  by: 1,
  max: GROUP_MEMBERS_MAX,
  countAfter: async () =>
    (await queryItems(deps, { pk: peoplePk(ws), prefix: anyGroupMemberPrefix }, Keyed)).length + 1,
  refusal: () =>
    limitRefusal(`The groups of a workspace have at most ${GROUP_MEMBERS_MAX} members together. Remove some first.`),
});

/**
 * Returns the growth of notifications by the worst possible event. The count is usually too high, because it is the
 * sum over all event keys, and deletions do not lower it.
 */
export const growthOfNotified = (growth: Pick<Growth, "by" | "countAfter" | "refusal">): Growth => ({
  name: "told",
  max: EVENT_NOTIFICATIONS_MAX,
  ...growth,
});

/** Reads the number of rules; the real number may be lower. */
export const readRuleCount = async (deps: TableDeps, ws: WorkspaceId): Promise<number> =>
  readCountOf(await getItem(deps, countsKey(ws), Counts), "rules") ?? 0;
