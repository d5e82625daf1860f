import * as v from "valibot";
import { namesOf } from "../basics/mapping.ts";
import { first, maybe } from "./draft.ts";

const Nested = v.pipe(
  v.string(),
  v.regex(/^\s*[[{]/),
  v.parseJson(),
  v.check((held) => typeof held === "object" && held !== null && Object.keys(held).length > 0),
);

/** The JSON object or list in a text, as tools nest them; any other value unchanged. */
export const opened = (value: unknown): unknown => {
  const held = v.safeParse(Nested, value);
  return held.success ? held.output : value;
};

/** The value at a path, also inside JSON in a text; undefined if there is none. */
export const at = (value: unknown, path: string): unknown =>
  namesOf(path)?.reduce<unknown>((outer, name) => {
    const within = opened(outer);
    return typeof within === "object" && within !== null && Object.hasOwn(within, name)
      ? Reflect.get(within, name)
      : undefined;
  }, value);

/** The list at a path; an empty one for anything else. */
export const listAt = (value: unknown, path: string): unknown[] => {
  const list = opened(at(value, path));
  return Array.isArray(list) ? list : [];
};

const textOf = (value: unknown): string | undefined => first(v.safeParse(maybe, value).output);

/** The first text at one of the paths that is not blank. Numbers and booleans count as texts. */
export type Say = (...paths: readonly string[]) => string | undefined;

/** Reads texts of a payload. Of several payloads, each path is tried in the first one first. */
export const reader =
  (...payloads: readonly unknown[]): Say =>
  (...paths) => {
    for (const path of paths)
      for (const payload of payloads) {
        const text = textOf(at(payload, path));
        if (text !== undefined) return text;
      }
    return undefined;
  };

/** The texts at several paths, by their names. */
export const textsAt = (say: Say, paths: Readonly<Record<string, string>>): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(paths).map(([name, path]) => [name, say(path)]));

/** Reads texts by the names that an adapter gives them, each from several paths. A text that `blank` matches counts as missing. */
export const named = <Name extends string>(
  payload: unknown,
  paths: Readonly<Record<Name, readonly string[]>>,
  blank: RegExp,
): ((name: Name) => string | undefined) => {
  const say = reader(payload);
  return (name) => paths[name].map((path) => say(path)).find((text) => text !== undefined && !blank.test(text));
};
