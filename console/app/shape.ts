/*
 * What was stored, or comes from outside, gets its type here. The schemas of the rest would be a quarter of what is loaded
 * before the inbox; these few checks are enough for it.
 */

/** Whether something is of a type. */
export type Shape<Type> = (value: unknown) => value is Type;

export const isText: Shape<string> = (value) => typeof value === "string";
export const isNumber: Shape<number> = (value) => typeof value === "number";
export const isYesOrNo: Shape<boolean> = (value) => typeof value === "boolean";

export const maybe =
  <Type>(is: Shape<Type>): Shape<Type | undefined> =>
  (value): value is Type | undefined =>
    value === undefined || is(value);

export const listOf =
  <Type>(is: Shape<Type>): Shape<Type[]> =>
  (value): value is Type[] =>
    Array.isArray(value) && value.every(is);

/** An object with these entries; it may have others. */
export const shaped =
  <Type extends object>(entries: { readonly [Name in keyof Type]: Shape<Type[Name]> }): Shape<Type> =>
  (value): value is Type => {
    if (typeof value !== "object" || value === null) return false;
    const given: Readonly<Record<string, unknown>> = { ...value };
    return Object.entries<Shape<unknown>>(entries).every(([name, is]) => is(given[name]));
  };

/** The content of a JSON text, if it is of the type. Undefined: it is not, or the text is not JSON, or there is none. */
export const readJson = <Type>(text: string | null, is: Shape<Type>): Type | undefined => {
  try {
    const read: unknown = JSON.parse(text ?? "");
    return is(read) ? read : undefined;
  } catch {
    return undefined;
  }
};
