import * as v from "valibot";

/** Says that an input was accepted although it will hardly do what its writer wants. */
export const Warning = v.object({
  code: v.string(),
  message: v.string(),
  /** The id of what it is about, where there are several. */
  id: v.exactOptional(v.string()),
  /** The field of the input, where it is about one. */
  field: v.exactOptional(v.string()),
});
export type Warning = v.InferOutput<typeof Warning>;
