/* Replaces the schema library, which would be a quarter of the code that loads before the inbox. */

export type Shape<Type> = (value: unknown) => value is Type;

export const isText: Shape<string> = (value) => typeof value === "string";
export const isNumber: Shape<number> = (value) => typeof value === "number";
export const isBoolean: Shape<boolean> = (value) => typeof value === "boolean";

export const optionalShape =
  <Type>(hasShape: Shape<Type>): Shape<Type | undefined> =>
  (value): value is Type | undefined =>
    value === undefined || hasShape(value);

export const listShape =
  <Type>(hasShape: Shape<Type>): Shape<Type[]> =>
  (value): value is Type[] =>
    Array.isArray(value) && value.every(hasShape);

/** Returns a check for objects with the given entries. Additional entries are allowed. */
export const objectShape =
  <Type extends object>(entries: { readonly [Name in keyof Type]: Shape<Type[Name]> }): Shape<Type> =>
  (value): value is Type => {
    if (typeof value !== "object" || value === null) return false;
    const given: Readonly<Record<string, unknown>> = { ...value };
    return Object.entries<Shape<unknown>>(entries).every(([name, hasShape]) => hasShape(given[name]));
  };

/** Parses JSON; returns undefined for null, invalid JSON or another type. */
export const readJson = <Type>(text: string | null, isType: Shape<Type>): Type | undefined => {
  try {
    const read: unknown = JSON.parse(text ?? "");
    return isType(read) ? read : undefined;
  } catch {
    return undefined;
  }
};
