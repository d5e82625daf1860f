import * as v from "valibot";
import { toIso } from "../basics/time.ts";

/* The webhooks of the old service, from which the team moves away, report these actions. Stored with the event. */

const incumbentActions = ["triggered", "acknowledged", "escalated", "closed"] as const;

/**
 * `at`: in milliseconds. `by`: the person who acted. `notified`: people notified so far. People are named by address or name.
 */
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

export const toIncumbentViews = ({
  incumbent = [],
}: {
  incumbent?: readonly Incumbent[] | undefined;
}): IncumbentView[] => incumbent.map(({ at, by = null, ...said }) => ({ ...said, at: toIso(at), by }));

/** Compares two messages, because the old service repeats a message whose answer was lost. */
export const isSameIncumbent = (one: Incumbent, other: Incumbent): boolean =>
  one.action === other.action && one.by === other.by && one.notified.join("\n") === other.notified.join("\n");
