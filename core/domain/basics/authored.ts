import * as v from "valibot";

/*
 * Who created a configured item, and who changed it last. The item stores their ids; their names are looked up when it
 * is shown.
 */

const Id = v.optional(v.nullable(v.string()));

/** Null if the operator did it; absent in items from before authors were stored. */
export const Authored = v.object({ createdBy: Id, updatedBy: Id });
export type Authored = v.InferOutput<typeof Authored>;

/** A user with a name; an author is null instead if that person has left the workspace. */
export const Somebody = v.object({ id: v.string(), name: v.string() });
export type Somebody = v.InferOutput<typeof Somebody>;

/** The authors of an item: null for the operator, or if unknown. */
export const Authors = v.object({ createdBy: v.nullable(Somebody), updatedBy: v.nullable(Somebody) });
export type Authors = v.InferOutput<typeof Authors>;
