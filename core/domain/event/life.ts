import * as v from "valibot";
import type { NotificationView } from "../delivery/notification-view.ts";
import { ACKNOWLEDGED_AT_ONCE_MAX, NOTE_MAX_CODE_POINTS } from "../basics/limits.ts";
import { text } from "../basics/text.ts";
import { fromIso, toIso } from "../basics/time.ts";

/** Who did something to an event, and when (milliseconds). */
export const Deed = v.object({ at: v.number(), id: v.string(), name: v.string() });
export type Deed = v.InferOutput<typeof Deed>;

/** `none`: nobody has to acknowledge the event, or it has not been matched yet. */
export const EventState = v.picklist(
  ["none", "open", "acknowledged", "resolved"],
  "state must be one of acknowledged, none, open, resolved.",
);
export type EventState = v.InferOutput<typeof EventState>;

const By = v.nullable(v.object({ id: v.string(), name: v.string() }));

/** What has been done about an event. */
export const LifeView = v.object({
  state: EventState,
  acknowledgedBy: By,
  acknowledgedAt: v.nullable(v.string()),
  resolvedBy: By,
  resolvedAt: v.nullable(v.string()),
  /** The note that was written when it was resolved. */
  note: v.nullable(v.string()),
});
export type LifeView = v.InferOutput<typeof LifeView>;

/** Which events the caller acknowledges. */
export const AcknowledgeInput = v.strictObject({
  eventIds: v.pipe(
    v.array(v.string("An event id must be a string."), "eventIds must be an array of event ids."),
    v.minLength(1, "eventIds must name at least one event."),
    v.maxLength(ACKNOWLEDGED_AT_ONCE_MAX, `eventIds must name at most ${ACKNOWLEDGED_AT_ONCE_MAX} events.`),
  ),
});

export const ResolveInput = v.strictObject({ note: v.nullish(text("note", NOTE_MAX_CODE_POINTS)) });

/** What has been done about one event of a list. */
export const EventLife = v.object({ id: v.string(), ...LifeView.entries });
export type EventLife = v.InferOutput<typeof EventLife>;

/** The part of an event's life that is stored with it. An acknowledged notification stores its own acknowledgement. */
export type Life = {
  /** Whether somebody has to acknowledge it. */
  needsAck: boolean;
  acknowledged: Deed | undefined;
  resolved: (Deed & { note?: string | undefined }) | undefined;
};

/** Whether somebody has acknowledged or resolved the event, as far as that is stored with it. */
export const isOver = ({ acknowledged, resolved }: Life): boolean =>
  acknowledged !== undefined || resolved !== undefined;

/** Whether a notification asks for an acknowledgement, and when and from whom it got one. */
type Acknowledged = Pick<NotificationView, "requiresAck" | "acknowledgedAt" | "acknowledgedBy">;

/** An acknowledgement that was not asked for does not count: the event is left to the people who were asked. */
const deedOf = ({ requiresAck, acknowledgedAt, acknowledgedBy }: Acknowledged): Deed | undefined =>
  !requiresAck || acknowledgedAt === null || acknowledgedBy === null
    ? undefined
    : { at: fromIso(acknowledgedAt) ?? 0, ...acknowledgedBy };

const byOf = (deed: Deed | undefined) => (deed === undefined ? null : { id: deed.id, name: deed.name });
const atOf = (deed: Deed | undefined) => (deed === undefined ? null : toIso(deed.at));

/** An event's life, with its first acknowledgement: of the event itself or of a notification that asks for one. */
export const toLifeView = (
  { needsAck, acknowledged, resolved }: Life,
  notifications: readonly Acknowledged[],
): LifeView => {
  const deeds = [acknowledged, ...notifications.map(deedOf)].filter((deed) => deed !== undefined);
  const first = needsAck ? deeds.toSorted((one, other) => one.at - other.at)[0] : undefined;
  const unresolved = needsAck ? (first === undefined ? "open" : "acknowledged") : "none";
  return {
    state: resolved === undefined ? unresolved : "resolved",
    acknowledgedBy: byOf(first),
    acknowledgedAt: atOf(first),
    resolvedBy: byOf(resolved),
    resolvedAt: atOf(resolved),
    note: resolved?.note ?? null,
  };
};
