import * as v from "valibot";
import { parseDataPath } from "../basics/mapping.ts";
import { findText, maybe } from "./draft.ts";

const Nested = v.pipe(
  v.string(),
  v.regex(/^\s*[[{]/),
  v.parseJson(),
  v.check((held) => Object.keys(Object(held)).length > 0),
);

/** Parses JSON that a tool has nested as text. Returns any other value unchanged. */
export const parseNestedJson = (value: unknown): unknown => {
  const held = v.safeParse(Nested, value);
  return held.success ? held.output : value;
};

/** Reads the value at a path, also in nested JSON texts. */
export const findValueAt = (value: unknown, path: string): unknown =>
  parseDataPath(path)?.reduce<unknown>((outer, name) => {
    const within = parseNestedJson(outer);
    return typeof within === "object" && within !== null && Object.hasOwn(within, name)
      ? Reflect.get(within, name)
      : undefined;
  }, value);

export const findListAt = (value: unknown, path: string): unknown[] => {
  const list = parseNestedJson(findValueAt(value, path));
  return Array.isArray(list) ? list : [];
};

const toNonBlankText = (value: unknown): string | undefined => findText(v.safeParse(maybe, value).output);

/** Returns the first text that is not blank at one of the paths. Numbers and booleans count as texts. */
export type TextReader = (...paths: readonly string[]) => string | undefined;

/** Returns a function that reads the text at the first path that leads to a text, and tries each path in all payloads. */
export const createTextReader =
  (...payloads: readonly unknown[]): TextReader =>
  (...paths) => {
    for (const path of paths)
      for (const payload of payloads) {
        const text = toNonBlankText(findValueAt(payload, path));
        if (text !== undefined) return text;
      }
    return undefined;
  };

export const readTextsAt = (
  read: TextReader,
  paths: Readonly<Record<string, string>>,
): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(paths).map(([name, path]) => [name, read(path)]));

/** Returns a function that reads the text of a name from its paths. Texts that match `blank` count as missing. */
export const readNamedTexts = <Name extends string>(
  payload: unknown,
  paths: Readonly<Record<Name, readonly string[]>>,
  blank: RegExp,
): ((name: Name) => string | undefined) => {
  const read = createTextReader(payload);
  return (name) => paths[name].map((path) => read(path)).find((text) => text !== undefined && !blank.test(text));
};
