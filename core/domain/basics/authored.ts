import * as v from "valibot";

/* An item stores the ids of its authors. The authors' names are looked up when the item is shown. */

const Id = v.optional(v.nullable(v.string()));

/** An author is null for the operator, and absent in items that were stored before authors were recorded. */
export const Authored = v.object({ createdBy: Id, updatedBy: Id });
export type Authored = v.InferOutput<typeof Authored>;

export const Somebody = v.object({ id: v.string(), name: v.string() });
export type Somebody = v.InferOutput<typeof Somebody>;

/** An author is null for the operator, for a person who has left the workspace, and if unknown. */
export const Authors = v.object({ createdBy: v.nullable(Somebody), updatedBy: v.nullable(Somebody) });
export type Authors = v.InferOutput<typeof Authors>;

/** The fields of every configured item. Every change of the item raises its version by one. */
export const versionedEntries = { version: v.number(), createdAt: v.string(), updatedAt: v.string() };
