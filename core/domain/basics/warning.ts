import * as v from "valibot";

/** Warns that accepted input probably does not do what its author wants. */
export const Warning = v.object({
  code: v.string(),
  message: v.string(),
  /** The id of the person, group, policy or heartbeat with the problem. */
  id: v.exactOptional(v.string()),
  field: v.exactOptional(v.string()),
  /** The names in `message`, for clients that show their own text for each code. */
  params: v.exactOptional(v.record(v.string(), v.string())),
});
export type Warning = v.InferOutput<typeof Warning>;
