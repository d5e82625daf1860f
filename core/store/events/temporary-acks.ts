import type { PresentAck, ReopenedAck, TemporaryAck } from "../../domain/escalation/temporary-ack.ts";
import { computeEarliestAckStart } from "../../domain/escalation/temporary-ack.ts";
import { changeProgress, type ChangeResult, type EventChange } from "./progress.ts";

/* A temporary acknowledgement is created, extended and ended by one conditional write each. */

const NOT_OVER = "attribute_not_exists(resolved) AND attribute_not_exists(expired)";

/**
 * Begins a temporary acknowledgement or extends the stored one, but never shortens it. Returns `refused` if the event is
 * over or is acknowledged for longer, or if the extensions together would exceed the allowed hours.
 */
export const extendTemporaryAck: EventChange<TemporaryAck, ChangeResult> = (deps, ws, eventId, ack) =>
  changeProgress(deps, ws, eventId, {
    set: "term = :term, #since = if_not_exists(#since, :at), #chain = if_not_exists(#chain, :at)",
    remove: "ack",
    condition:
      `${NOT_OVER} AND (attribute_not_exists(term) OR term.#until < :until) AND ` +
      "(attribute_not_exists(#chain) OR #chain >= :began)",
    names: { "#until": "until", "#chain": "chain", "#since": "since" },
    values: { ":term": ack, ":until": ack.until, ":at": ack.at, ":began": computeEarliestAckStart(ack.until) },
  });

/** Acknowledges an event until a chosen end, earlier or later than before. The total time of extensions restarts from zero. */
export const replaceTemporaryAck: EventChange<TemporaryAck, ChangeResult> = (deps, ws, eventId, ack) =>
  changeProgress(deps, ws, eventId, {
    set: "term = :term, #since = if_not_exists(#since, :at), #chain = :at",
    remove: "ack",
    condition: NOT_OVER,
    names: { "#chain": "chain", "#since": "since" },
    values: { ":term": ack, ":at": ack.at },
  });

/** Ends a temporary acknowledgement, which reopens the event. Returns `refused` after another change or if the event is over. */
export const storeAckEnd: EventChange<ReopenedAck, ChangeResult> = (deps, ws, eventId, reopened) =>
  changeProgress(deps, ws, eventId, {
    set: "reopened = :reopened",
    remove: "term, #since",
    condition: `${NOT_OVER} AND term.#until = :until`,
    names: { "#until": "until", "#since": "since" },
    values: { ":reopened": reopened, ":until": reopened.until },
  });

/** Makes a temporary acknowledgement permanent. Returns `refused` if the acknowledgement has changed or the event is over. */
export const makeAckPermanent: EventChange<PresentAck, ChangeResult> = (deps, ws, eventId, ack) =>
  changeProgress(deps, ws, eventId, {
    set: "ack = :deed",
    remove: "term, #since",
    condition: `${NOT_OVER} AND term.#until = :until`,
    names: { "#until": "until", "#since": "since" },
    values: { ":deed": { at: ack.since, id: ack.id, name: ack.name }, ":until": ack.until },
  });
