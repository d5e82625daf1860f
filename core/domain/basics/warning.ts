import * as v from "valibot";

/** A warning that an input was accepted but probably does not do what its author wants. */
export const Warning = v.object({
  code: v.string(),
  message: v.string(),
  /** The id of the item that the warning is about, if there are several. */
  id: v.exactOptional(v.string()),
  /** The input field that the warning is about. */
  field: v.exactOptional(v.string()),
  /** The values in the message, for clients that write their own text for each code. */
  params: v.exactOptional(v.record(v.string(), v.string())),
});
export type Warning = v.InferOutput<typeof Warning>;
