import * as v from "valibot";
import type { Deps } from "../deps.ts";
import { EVENT_NOTIFICATIONS_MAX, RULES_MAX } from "../domain/basics/limits.ts";
import { Refusal } from "../domain/basics/refusal.ts";
import { countsKey, type Key } from "./keys.ts";
import { getItem, putItemIf, queryItems, updateItem, type Range } from "./table.ts";

/*
 * How many there are of what a workspace may have a limited number of. A place is taken before the thing is made and given
 * back after it is gone, so that no request needs to count. What died in between leaves the count too high; a workspace
 * that seems full is therefore counted before it is refused.
 */

const Counts = v.record(v.string(), v.unknown());
const Place = v.object({ sk: v.string() });

export type Countable = {
  /** The attribute that holds the count, and what the things are called. */
  name: "rules" | "groups" | "policies";
  noun: string;
  max: number;
  /** Where they lie. */
  range: Range;
};

/** An amount that grows: its attribute, by how much it is about to grow, and how far it may. */
type Growth = {
  name: Countable["name"] | "told";
  by: number;
  max: number;
  /** Counts what there really is, along with what is about to come. */
  countAfter: () => Promise<number>;
  /** What is said where that is too much. */
  refusal: (after: number) => string;
};

const numberIn = (item: Record<string, unknown> | undefined, name: Growth["name"]): number | undefined => {
  const counted = item?.[name];
  return typeof counted === "number" ? counted : undefined;
};

const TRIES = 10;

/**
 * Adds to an amount. Where it seems to grow too much, it is counted, and what it really is takes its place. Throws Refusal
 * `limit_reached` where that is too much, too.
 */
const grow = async (deps: Pick<Deps, "table">, ws: string, { name, by, max, ...real }: Growth): Promise<void> => {
  const key: Key = countsKey(ws);
  for (let round = 0; round < TRIES; round += 1) {
    const grown = await updateItem(deps, key, Counts, {
      update: "SET #name = #name + :by",
      condition: "#name <= :room",
      names: { "#name": name },
      values: { ":by": by, ":room": max - by },
    });
    if (grown.kind === "done") return;
    const after = await real.countAfter();
    if (after > max) throw new Refusal("limit_reached", real.refusal(after));
    if (await correct(deps, key, name, grown.item, after)) return;
  }
  throw new Error(`the ${name} of ${ws} changed under ${TRIES} tries to count them`);
};

/** Writes down what was really counted, where the count still is what it was. Says whether it was. */
const correct = async (
  deps: Pick<Deps, "table">,
  key: Key,
  name: Growth["name"],
  item: Record<string, unknown> | undefined,
  real: number,
): Promise<boolean> => {
  if (item === undefined) return (await putItemIf(deps, key, { [name]: real }, Counts)).kind === "done";
  const seen = numberIn(item, name);
  const corrected = await updateItem(deps, key, Counts, {
    update: "SET #name = :real",
    condition: seen === undefined ? "attribute_not_exists(#name)" : "#name = :seen",
    names: { "#name": name },
    values: { ":real": real, ...(seen === undefined ? {} : { ":seen": seen }) },
  });
  return corrected.kind === "done";
};

/** Takes a place for one more. Throws Refusal `limit_reached` where there are as many as there may be. */
export const takePlace = (
  deps: Pick<Deps, "table">,
  ws: string,
  { name, noun, max, range }: Countable,
): Promise<void> =>
  grow(deps, ws, {
    name,
    by: 1,
    max,
    countAfter: async () => (await queryItems(deps, range, Place)).length + 1,
    refusal: () => `A workspace has at most ${max} ${noun}. Delete one first.`,
  });

/** Gives a place back. */
export const givePlaceBack = async (deps: Pick<Deps, "table">, ws: string, { name }: Countable): Promise<void> => {
  await updateItem(deps, countsKey(ws), Counts, {
    update: "SET #name = #name - :one",
    condition: "#name > :zero",
    names: { "#name": name },
    values: { ":one": 1, ":zero": 0 },
  });
};

/**
 * Makes room for notifications of the worst event that there can be. What is written down is never too low and mostly too
 * high, for it is a sum over all event keys and goes down for nothing that is deleted: only near the limit it is counted.
 */
export const growTold = (
  deps: Pick<Deps, "table">,
  ws: string,
  growth: Pick<Growth, "by" | "countAfter" | "refusal">,
): Promise<void> => grow(deps, ws, { name: "told", max: EVENT_NOTIFICATIONS_MAX, ...growth });

/** How many rules there are at most. */
export const readRuleCount = async (deps: Pick<Deps, "table">, ws: string): Promise<number> =>
  numberIn(await getItem(deps, countsKey(ws), Counts), "rules") ?? RULES_MAX;
