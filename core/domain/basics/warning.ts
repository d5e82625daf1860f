import * as v from "valibot";

/** What is accepted although it will hardly do what its writer wants. */
export const Warning = v.object({
  code: v.string(),
  message: v.string(),
  /** What it is about, where that is one of several. */
  id: v.exactOptional(v.string()),
});
export type Warning = v.InferOutput<typeof Warning>;
