import type { Answers } from "../../app/types.ts";

/** Returns a row for each value, with a dotted path as in rules. */
export const flattenData = (data: NonNullable<Answers["Event"]["data"]>, path = ""): [path: string, value: string][] =>
  Object.entries(data).flatMap(([key, value]): [string, string][] => {
    const inner = path === "" ? key : `${path}.${key}`;
    const isObject = (candidate: unknown): candidate is Record<string, unknown> =>
      typeof candidate === "object" && candidate !== null;
    return isObject(value) ? flattenData(value, inner) : [[inner, String(value)]];
  });
