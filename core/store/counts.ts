import * as v from "valibot";
import type { Deps } from "../deps.ts";
import { Refusal } from "../domain/basics/refusal.ts";
import { countsKey, type Key } from "./keys.ts";
import { putItemIf, queryItems, updateItem, type Range } from "./table.ts";

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

const countedIn = (item: Record<string, unknown> | undefined, name: Countable["name"]): number | undefined => {
  const counted = item?.[name];
  return typeof counted === "number" ? counted : undefined;
};

const TRIES = 10;

/** Takes a place for one more. Throws Refusal `limit_reached` where there are as many as there may be. */
export const takePlace = async (deps: Pick<Deps, "table">, ws: string, { name, noun, max, range }: Countable) => {
  const key: Key = countsKey(ws);
  for (let round = 0; round < TRIES; round += 1) {
    const taken = await updateItem(deps, key, Counts, {
      update: "SET #name = #name + :one",
      condition: "#name < :max",
      names: { "#name": name },
      values: { ":one": 1, ":max": max },
    });
    if (taken.kind === "done") return;
    const seen = countedIn(taken.item, name);
    const real = (await queryItems(deps, range, Place)).length;
    if (real >= max) throw new Refusal("limit_reached", `A workspace has at most ${max} ${noun}. Delete one first.`);
    await correct(deps, key, name, taken.item === undefined, seen, real);
  }
  throw new Error(`the ${noun} of ${ws} changed under ${TRIES} tries to count them`);
};

/** Writes down what was really counted, where the count still is what it was. */
const correct = async (
  deps: Pick<Deps, "table">,
  key: Key,
  name: Countable["name"],
  isNew: boolean,
  seen: number | undefined,
  real: number,
): Promise<void> => {
  if (isNew) {
    await putItemIf(deps, key, { [name]: real }, Counts);
    return;
  }
  await updateItem(deps, key, Counts, {
    update: "SET #name = :real",
    condition: seen === undefined ? "attribute_not_exists(#name)" : "#name = :seen",
    names: { "#name": name },
    values: { ":real": real, ...(seen === undefined ? {} : { ":seen": seen }) },
  });
};

/** Gives a place back. */
export const givePlaceBack = async (deps: Pick<Deps, "table">, ws: string, { name }: Countable): Promise<void> => {
  await updateItem(deps, countsKey(ws), Counts, {
    update: "SET #name = #name - :one",
    condition: "#name > :zero",
    names: { "#name": name },
    values: { ":one": 1, ":zero": 0 },
  });
};
