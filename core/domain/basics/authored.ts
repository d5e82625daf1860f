import * as v from "valibot";

/*
 * The authors of a configured item: its creator and the person who changed it last. The item stores their ids; the
 * names are looked up when the item is shown.
 */

const Id = v.optional(v.nullable(v.string()));

/** The ids of the authors as stored: null for the operator, absent in items from before authors were stored. */
export const Authored = v.object({ createdBy: Id, updatedBy: Id });
export type Authored = v.InferOutput<typeof Authored>;

/** An author with their current name. */
export const Somebody = v.object({ id: v.string(), name: v.string() });
export type Somebody = v.InferOutput<typeof Somebody>;

/** The authors of an item as shown: null for the operator, a person who has left the workspace, or an unknown author. */
export const Authors = v.object({ createdBy: v.nullable(Somebody), updatedBy: v.nullable(Somebody) });
export type Authors = v.InferOutput<typeof Authors>;
