import type { Answers } from "../../app/types.ts";

/** Each row has a dotted path, as in rules. */
export const flattenData = (data: NonNullable<Answers["Event"]["data"]>, path = ""): [path: string, value: string][] =>
  Object.entries(data).flatMap(([key, value]): [string, string][] => {
    const inner = path === "" ? key : `${path}.${key}`;
    const isGroup = (one: unknown): one is Record<string, unknown> => typeof one === "object" && one !== null;
    return isGroup(value) ? flattenData(value, inner) : [[inner, String(value)]];
  });
