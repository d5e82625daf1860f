import * as v from "valibot";

/** Says that an input was accepted although it will hardly do what its author wants. */
export const Warning = v.object({
  code: v.string(),
  message: v.string(),
  /** The id of the item that it is about, if there are several. */
  id: v.exactOptional(v.string()),
  /** The field of the input that it is about. */
  field: v.exactOptional(v.string()),
  /** The values in the message, for clients that have their own words for the code. */
  params: v.exactOptional(v.record(v.string(), v.string())),
});
export type Warning = v.InferOutput<typeof Warning>;
