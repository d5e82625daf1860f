import * as v from "valibot";

/** A site that events came from. `events` counts them. */
export const SiteView = v.object({
  site: v.string(),
  name: v.string(),
  firstSeenAt: v.string(),
  lastSeenAt: v.string(),
  events: v.number(),
});
export type SiteView = v.InferOutput<typeof SiteView>;
