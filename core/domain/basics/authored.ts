import * as v from "valibot";

/*
 * Who made something that people configure, and who changed it last. It is stored with their ids; their names are looked
 * up when it is shown.
 */

const Id = v.optional(v.nullable(v.string()));

/** Null: the operator. Missing: it was written before authors were stored. */
export const Authored = v.object({ createdBy: Id, updatedBy: Id });
export type Authored = v.InferOutput<typeof Authored>;

/** Null for a person who has left. */
export const Somebody = v.object({ id: v.string(), name: v.string() });
export type Somebody = v.InferOutput<typeof Somebody>;

/** Null: the operator, or unknown. */
export const Authors = v.object({ createdBy: v.nullable(Somebody), updatedBy: v.nullable(Somebody) });
export type Authors = v.InferOutput<typeof Authors>;
