import * as v from "valibot";

/** Warns that accepted input probably does not do what its author wants. */
export const Warning = v.object({
  code: v.string(),
  message: v.string(),
  /** The item that caused the warning, if there are several items. */
  id: v.exactOptional(v.string()),
  field: v.exactOptional(v.string()),
  /** Values for clients that have their own text for each code. */
  params: v.exactOptional(v.record(v.string(), v.string())),
});
export type Warning = v.InferOutput<typeof Warning>;
