import * as v from "valibot";

/** The input was accepted, but probably does not do what its author wants. */
export const Warning = v.object({
  code: v.string(),
  message: v.string(),
  /** The item that the warning is about, if there are several. */
  id: v.exactOptional(v.string()),
  field: v.exactOptional(v.string()),
  /** Values for clients that write their own text for each code. */
  params: v.exactOptional(v.record(v.string(), v.string())),
});
export type Warning = v.InferOutput<typeof Warning>;
