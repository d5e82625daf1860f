import * as v from "valibot";
import type { TableDeps } from "../../deps.ts";
import { WorkspaceId } from "../../domain/basics/ids.ts";
import { MarkerRef, type Marker } from "../../domain/event/marker.ts";
import { createDueLister } from "../due-lister.ts";
import {
  eventMarkerKey,
  handoffMarkerKey,
  eventMarkersPk,
  pageMarkerKey,
  stepMarkerKey,
  stepMarkersPk,
  ackMarkerKey,
  type Key,
} from "../keys.ts";
import { deleteItem, putItem } from "../table.ts";

/* A marker is written before the work and removed afterwards, so that the sweeper finds unfinished work by due time. */

const MarkerItem = v.pipe(
  v.object({
    ws: WorkspaceId,
    eventId: v.string(),
    due: v.number(),
    /** The time at which the work began, in milliseconds. */
    since: v.number(),
    tries: v.number(),
    part: v.optional(v.number()),
    rule: v.optional(v.number()),
    cursor: v.optional(v.number()),
    term: MarkerRef.entries.term,
    hand: MarkerRef.entries.hand,
    ring: MarkerRef.entries.ring,
  }),
  v.transform(({ part, rule, cursor, ...rest }): Marker => ({
    ...rest,
    ...(part === undefined ? {} : { part }),
    ...(rule === undefined || cursor === undefined ? {} : { step: { rule, cursor } }),
  })),
);

const toMarkerKey = ({ ws, eventId, due, part, step, term, hand, ring }: MarkerRef): Key => {
  if (step !== undefined) return stepMarkerKey(due, ws, eventId, step.rule, step.cursor);
  if (ring !== undefined) return pageMarkerKey(due, ws, eventId, ring.packId);
  if (hand !== undefined) return handoffMarkerKey(due, ws, eventId, hand.userId);
  return term === undefined ? eventMarkerKey(due, ws, eventId, part) : ackMarkerKey(due, ws, eventId, term);
};

export const putMarker = async (deps: TableDeps, marker: Marker): Promise<void> => {
  const { step, ...rest } = marker;
  await putItem(deps, toMarkerKey(marker), { ...rest, ...step });
};

/** Removes a marker, unless another invocation has postponed the marker. */
export const removeMarker = (deps: TableDeps, marker: MarkerRef): Promise<void> =>
  deleteItem(deps, toMarkerKey(marker));

/** Replaces a marker. Writes the new marker first, so that a crash leaves both markers and loses none. */
export const moveMarker = async (deps: TableDeps, marker: Marker, next: Marker): Promise<void> => {
  if (next.due === marker.due) return putMarker(deps, next);
  await putMarker(deps, next);
  await removeMarker(deps, marker);
};

export const listDueEvents = /* @__PURE__ */ createDueLister(eventMarkersPk, MarkerItem);

/** Lists due markers of escalation steps, temporary acknowledgements, shifts and later notification steps in one shard. */
export const listDueSteps = /* @__PURE__ */ createDueLister(stepMarkersPk, MarkerItem);
