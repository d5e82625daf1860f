import * as v from "valibot";

export const SiteView = v.object({
  site: v.string(),
  name: v.string(),
  firstSeenAt: v.string(),
  lastSeenAt: v.string(),
  events: v.number(),
});
export type SiteView = v.InferOutput<typeof SiteView>;
