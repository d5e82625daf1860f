import * as v from "valibot";

/** The input was accepted, but probably does not do what its author wants. */
export const Warning = v.object({
  code: v.string(),
  message: v.string(),
  /** The item, if the warning may be about several. */
  id: v.exactOptional(v.string()),
  field: v.exactOptional(v.string()),
  /** For clients that write their own text for each code. */
  params: v.exactOptional(v.record(v.string(), v.string())),
});
export type Warning = v.InferOutput<typeof Warning>;
