import * as v from "valibot";
import type { Deps } from "../deps.ts";
import type { Marker, MarkerRef } from "../domain/event/marker.ts";
import { dueUpTo, eventMarkerKey, nextAfter, pendingPk, stepMarkerKey, stepsPk, type Key } from "./keys.ts";
import { deleteItem, putItem, queryItems } from "./table.ts";

/*
 * A marker says that work is unfinished: on an event, on one part of its plan, or on one step of its escalation. It is
 * written before the work and removed after it, so the sweeper finds whatever dies in between, by due time.
 */

const MarkerItem = v.object({
  pk: v.string(),
  sk: v.string(),
  ws: v.string(),
  eventId: v.string(),
  due: v.number(),
  /** When the work began, in milliseconds. */
  since: v.number(),
  tries: v.number(),
  part: v.optional(v.number()),
  rule: v.optional(v.number()),
  cursor: v.optional(v.number()),
});
type MarkerItem = v.InferOutput<typeof MarkerItem>;

const keyOf = ({ ws, eventId, due, part, step }: MarkerRef): Key =>
  step === undefined ? eventMarkerKey(due, ws, eventId, part) : stepMarkerKey(due, ws, eventId, step.rule, step.cursor);

const toMarker = ({ ws, eventId, due, since, tries, part, rule, cursor }: MarkerItem): Marker => ({
  ws,
  eventId,
  due,
  since,
  tries,
  ...(part === undefined ? {} : { part }),
  ...(rule === undefined || cursor === undefined ? {} : { step: { rule, cursor } }),
});

export const putMarker = async (deps: Pick<Deps, "table">, marker: Marker): Promise<void> => {
  const { step, ...rest } = marker;
  await putItem(deps, keyOf(marker), { ...rest, ...step });
};

/** Removing a marker that is gone, or that was moved to another due time, changes nothing. */
export const removeMarker = (deps: Pick<Deps, "table">, marker: MarkerRef): Promise<void> =>
  deleteItem(deps, keyOf(marker));

/**
 * Gives a marker another due time. The new one is written first, so a crash in between leaves two markers, never none.
 */
export const moveMarker = async (deps: Pick<Deps, "table">, marker: Marker, next: Marker): Promise<void> => {
  if (next.due === marker.due) return putMarker(deps, next);
  await putMarker(deps, next);
  await removeMarker(deps, marker);
};

/** `after`: the marker of the same kind after which the list continues. */
const listDue = async (
  deps: Pick<Deps, "table">,
  pk: string,
  upTo: number,
  limit: number,
  after: MarkerRef | undefined,
): Promise<Marker[]> => {
  const range = { pk, ...(after === undefined ? {} : { from: nextAfter(keyOf(after).sk) }), to: dueUpTo(upTo) };
  const items = await queryItems(deps, range, MarkerItem, { limit });
  return items.map(toMarker);
};

/** Markers of events in one shard that are due by `upTo`, the earliest first, strongly consistent. */
export const listDueEvents = (
  deps: Pick<Deps, "table">,
  shard: string,
  upTo: number,
  limit: number,
  after?: MarkerRef,
): Promise<Marker[]> => listDue(deps, pendingPk(shard), upTo, limit, after);

/** Markers of escalation steps in one shard, in the same way. */
export const listDueSteps = (
  deps: Pick<Deps, "table">,
  shard: string,
  upTo: number,
  limit: number,
  after?: MarkerRef,
): Promise<Marker[]> => listDue(deps, stepsPk(shard), upTo, limit, after);
