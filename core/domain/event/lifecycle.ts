import * as v from "valibot";
import type { NotificationView } from "../delivery/notification-view.ts";
import type { PresentAck, ReopenedAck, TemporaryAck } from "../escalation/temporary-ack.ts";
import { ACKNOWLEDGED_AT_ONCE_MAX, NOTE_MAX_CODE_POINTS } from "../basics/limits.ts";
import { textSchema } from "../basics/text.ts";
import { fromIso, toIso, toIsoOrNull } from "../basics/time.ts";

/** A person's action on an event. `at`: in milliseconds. */
export const EventAction = v.object({ at: v.number(), id: v.string(), name: v.string() });
export type EventAction = v.InferOutput<typeof EventAction>;

/** `none`: the event needs no acknowledgement, is held or is not matched yet. `expired`: was open for 30 days, which is final. */
export const EventState = v.picklist(
  ["none", "open", "acknowledged", "resolved", "expired"],
  "state must be one of acknowledged, expired, none, open, resolved.",
);
export type EventState = v.InferOutput<typeof EventState>;

const By = v.nullable(v.object({ id: v.string(), name: v.string() }));

export const LifecycleView = v.object({
  state: EventState,
  acknowledgedBy: By,
  acknowledgedAt: v.nullable(v.string()),
  /** When the acknowledgement ends; null if there is none, or if it is permanent. */
  acknowledgedUntil: v.nullable(v.string()),
  resolvedBy: By,
  resolvedAt: v.nullable(v.string()),
  note: v.nullable(v.string()),
  expiredAt: v.nullable(v.string()),
});
export type LifecycleView = v.InferOutput<typeof LifecycleView>;

export const AcknowledgeInput = v.strictObject({
  eventIds: v.pipe(
    v.array(v.string("An event id must be a string."), "eventIds must be an array of event ids."),
    v.minLength(1, "eventIds must name at least one event."),
    v.maxLength(ACKNOWLEDGED_AT_ONCE_MAX, `eventIds must name at most ${ACKNOWLEDGED_AT_ONCE_MAX} events.`),
  ),
});

export const ResolveInput = v.strictObject({ note: v.nullish(textSchema("note", NOTE_MAX_CODE_POINTS)) });

export const EventLifecycle = v.object({ id: v.string(), ...LifecycleView.entries });
export type EventLifecycle = v.InferOutput<typeof EventLifecycle>;

/** The expiry of an open event. `at`: when the expiry was detected (ms). `round`: the hourly audit that notifies the owners. */
export const Expiry = v.object({ at: v.number(), round: v.string() });
export type Expiry = v.InferOutput<typeof Expiry>;

/** The state that the event itself stores. Notifications store their own acknowledgements. */
export type Lifecycle = {
  needsAck: boolean;
  acknowledged: EventAction | undefined;
  /** The current temporary acknowledgement, and the last temporary acknowledgement that ended. */
  term?: PresentAck | undefined;
  reopened?: ReopenedAck | undefined;
  /** When the chain of temporary acknowledgements began, in milliseconds. */
  chain?: number | undefined;
  resolved: (EventAction & { note?: string | undefined }) | undefined;
  expired?: Expiry | undefined;
  /** What holds the event: the id of a silence, or `FLAPPING`; undefined if the event is acknowledged or final. */
  heldBy?: string | undefined;
};

export const isEventOver = ({ resolved, expired }: Pick<Lifecycle, "resolved" | "expired">): boolean =>
  resolved !== undefined || expired !== undefined;

/** Returns whether the event's own item is acknowledged or final. Ignores acknowledgements of single notifications. */
export const isAcknowledgedOrFinal = (life: Lifecycle): boolean =>
  life.acknowledged !== undefined || life.term !== undefined || isEventOver(life);

export type Acknowledged = Pick<
  NotificationView,
  "requiresAck" | "acknowledgedAt" | "acknowledgedBy" | "acknowledgedUntil"
>;

/** Returns the notification's acknowledgement; undefined if the notification does not require one. */
const toAcknowledgement = ({ requiresAck, acknowledgedAt, acknowledgedBy }: Acknowledged): EventAction | undefined =>
  !requiresAck || acknowledgedAt === null || acknowledgedBy === null
    ? undefined
    : { at: fromIso(acknowledgedAt) ?? 0, ...acknowledgedBy };

/** Returns the notifications' acknowledgements, except those voided when the event was opened again. */
const listAcknowledgementsSince = (
  reopened: ReopenedAck | undefined,
  notifications: readonly Acknowledged[],
): EventAction[] =>
  notifications.flatMap((notification) => {
    const action = toAcknowledgement(notification);
    if (action === undefined) return [];
    if (reopened === undefined) return [action];
    return action.at > (notification.acknowledgedUntil === null ? reopened.at : reopened.on) ? [action] : [];
  });

/** Finds the newest permanent acknowledgement since the temporary acknowledgement began or was last extended. */
export const findPermanentAcknowledgement = (
  { at }: Pick<TemporaryAck, "at">,
  notifications: readonly Acknowledged[],
): EventAction | undefined =>
  notifications
    .filter(({ acknowledgedUntil }) => acknowledgedUntil === null)
    .flatMap((notification) => toAcknowledgement(notification) ?? [])
    .filter((action) => action.at > at)
    .toSorted((one, other) => other.at - one.at)[0];

const toIdAndName = (action: EventAction | undefined) =>
  action === undefined ? null : { id: action.id, name: action.name };

/** Returns the lifecycle for the API. `acknowledgedBy`: who acknowledged temporarily, or else who acknowledged first. */
export const toLifecycleView = (
  { needsAck, acknowledged, term, reopened, resolved, expired, heldBy }: Lifecycle,
  notifications: readonly Acknowledged[],
): LifecycleView => {
  const held: EventAction | undefined =
    term === undefined ? undefined : { at: term.since, id: term.id, name: term.name };
  const actions =
    held === undefined
      ? [acknowledged, ...listAcknowledgementsSince(reopened, notifications)].filter((action) => action !== undefined)
      : [held];
  const isAcknowledgeable = needsAck || heldBy !== undefined;
  const first = isAcknowledgeable ? actions.toSorted((one, other) => one.at - other.at)[0] : undefined;
  const ends =
    term !== undefined &&
    findPermanentAcknowledgement(term, notifications) === undefined &&
    !isEventOver({ resolved, expired });
  const unresolved = first !== undefined ? "acknowledged" : needsAck ? "open" : "none";
  return {
    state: resolved !== undefined ? "resolved" : expired !== undefined ? "expired" : unresolved,
    acknowledgedBy: toIdAndName(first),
    acknowledgedAt: toIsoOrNull(first?.at),
    acknowledgedUntil: ends ? toIso(term.until) : null,
    resolvedBy: toIdAndName(resolved),
    resolvedAt: toIsoOrNull(resolved?.at),
    note: resolved?.note ?? null,
    expiredAt: toIsoOrNull(expired?.at),
  };
};
