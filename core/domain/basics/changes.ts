import * as v from "valibot";

type Changes<Entries extends v.ObjectEntries> = {
  readonly [Field in keyof Entries]: v.ExactOptionalSchema<Entries[Field], undefined>;
};

/** Returns the schema of a change, which may leave out any of the entries. */
export function patchSchema<const Entries extends v.ObjectEntries>(
  entries: Entries,
): v.StrictObjectSchema<Changes<Entries>, undefined>;
export function patchSchema(entries: v.ObjectEntries) {
  const fields = Object.entries(entries).map(([field, schema]) => [field, v.exactOptional(schema)] as const);
  return v.strictObject(Object.fromEntries(fields));
}
