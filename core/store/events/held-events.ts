import * as v from "valibot";
import type { TableDeps } from "../../deps.ts";
import { WorkspaceId } from "../../domain/basics/ids.ts";
import { HELD_HOURS } from "../../domain/basics/limits.ts";
import { FLAPPING } from "../../domain/event/flapping.ts";
import type { StoredEvent } from "../../domain/event/stored-event.ts";
import { createDueLister } from "../due-lister.ts";
import { heldEventKey, heldEventsPk, heldRangeStart, silenceEndKey, silenceEndsPk } from "../keys.ts";
import { indexOpenEvent, removeDedupeEntry } from "./open-events.ts";
import { deleteItem, putItem, queryItems } from "../table.ts";
import { HOUR_MS } from "../../domain/basics/units.ts";
import { toSeconds } from "../../domain/basics/seconds.ts";

/*
 * Each silence has a partition with a list of the events that it holds. An event is added to the list before its plan is stored,
 * and removed after the plan is replaced. Leftover entries of the list expire. A silence's end is an item that the sweeper finds
 * when the item is due. This item is written when the silence holds its first event, and before each change of the silence.
 */

type HeldEvent = Pick<StoredEvent, "workspaceId" | "eventId" | "seq" | "receivedAt" | "content">;

const HeldItem = v.object({ eventId: v.string() });

const toHeldKey = ({ workspaceId, receivedAt, seq }: HeldEvent, silence: string) =>
  heldEventKey(workspaceId, silence, receivedAt, seq);

/** Adds a held event to the index by dedupeKey and, unless it is held for flapping, to the list of the silence `heldBy`. */
export const addHeldEvent = async (deps: TableDeps, event: HeldEvent, heldBy: string): Promise<void> => {
  const ttl = toSeconds(event.receivedAt + 2 * HELD_HOURS * HOUR_MS);
  await indexOpenEvent(deps, event.workspaceId, event);
  if (heldBy !== FLAPPING) await putItem(deps, toHeldKey(event, heldBy), { eventId: event.eventId, ttl });
};

/** Removes an event from a silence's list, but not from the index by dedupeKey. */
export const unlistHeldEvent = async (deps: TableDeps, event: HeldEvent, heldBy: string): Promise<void> => {
  if (heldBy !== FLAPPING) await deleteItem(deps, toHeldKey(event, heldBy));
};

/** Removes an ended event from a silence's list and from the index by dedupeKey. */
export const removeHeldEvent = async (deps: TableDeps, event: HeldEvent, heldBy: string): Promise<void> => {
  await unlistHeldEvent(deps, event, heldBy);
  await removeDedupeEntry(deps, event.workspaceId, { seq: event.seq, dedupeKey: event.content.dedupeKey });
};

/** Returns the ids of the newest events that a silence holds and that arrived at or after `since` (in milliseconds). */
export const readHeldEvents = async (
  deps: TableDeps,
  ws: WorkspaceId,
  silence: string,
  { since, limit }: { since: number; limit: number },
): Promise<string[]> => {
  const range = { pk: heldEventsPk(ws, silence), from: heldRangeStart(since), to: heldRangeStart(LAST_MS) };
  const rows = await queryItems(deps, range, HeldItem, { descending: true, limit });
  return rows.map(({ eventId }) => eventId);
};
/** The latest time that fits into a key, in milliseconds. */
const LAST_MS = 9_999_999_999_999;

/** A possible end of a silence: the planned end (`time`), or a change or deletion, requested (`request`) or stored (`change`). */
const EndItem = v.object({
  ws: WorkspaceId,
  silence: v.string(),
  due: v.number(),
  /** The time of the planned end or of the change, in milliseconds. */
  since: v.number(),
  because: v.picklist(["time", "request", "change"]),
});
export type SilenceEnd = v.InferOutput<typeof EndItem>;

const toEndKey = ({ ws, silence, due, because }: SilenceEnd) => silenceEndKey(due, ws, silence, because);

export const putSilenceEnd = (deps: TableDeps, end: SilenceEnd): Promise<void> => putItem(deps, toEndKey(end), end);

export const removeSilenceEnd = (deps: TableDeps, end: SilenceEnd): Promise<void> => deleteItem(deps, toEndKey(end));

/** Replaces the end of a silence. Writes the new end first, so that a crash leaves both ends and loses none. */
export const replaceSilenceEnd = async (deps: TableDeps, end: SilenceEnd, next: SilenceEnd): Promise<void> => {
  await putSilenceEnd(deps, next);
  await removeSilenceEnd(deps, end);
};

export const listDueEnds = /* @__PURE__ */ createDueLister(silenceEndsPk, EndItem);
