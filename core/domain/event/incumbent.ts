import * as v from "valibot";
import { toIso } from "../basics/time.ts";

/* Actions that the old service, which a team is leaving, reports by webhook. */

const incumbentActions = ["triggered", "acknowledged", "escalated", "closed"] as const;

/** An action that the old service reported. `at`: in milliseconds. `by`: who acted. `notified`: who was notified so far. */
export const Incumbent = v.object({
  action: v.picklist(incumbentActions),
  at: v.number(),
  by: v.optional(v.string()),
  notified: v.array(v.string()),
});
export type Incumbent = v.InferOutput<typeof Incumbent>;

export const IncumbentView = v.object({
  action: Incumbent.entries.action,
  at: v.string(),
  by: v.nullable(v.string()),
  notified: Incumbent.entries.notified,
});
type IncumbentView = v.InferOutput<typeof IncumbentView>;

/** Returns the messages of the old service about the event, as the API shows them. */
export const toIncumbentViews = (event: { incumbent?: readonly Incumbent[] | undefined }): IncumbentView[] =>
  (event.incumbent ?? []).map(({ at, by = null, ...said }) => ({ ...said, at: toIso(at), by }));

/** Returns whether the second message repeats the first: the old service repeats a message that got no answer. */
export const isSameReportedAction = (first: Incumbent, second: Incumbent): boolean =>
  first.action === second.action && first.by === second.by && first.notified.join("\n") === second.notified.join("\n");
