import * as v from "valibot";
import { EPISODES_KEPT, detectFlapping, type Episode, type Flapping } from "../domain/event/flapping.ts";

/* An alert's last four episodes (from opening to end) are stored in its dedupeKey's item, which every opening writes anyway. */

/** The times of an episode's opening and end, in milliseconds; 0 if the time is unknown or the alert reopened before it ended. */
export const episodes = {
  opened: v.optional(v.number(), 0),
  closed: v.optional(v.number(), 0),
  opened1: v.optional(v.number(), 0),
  closed1: v.optional(v.number(), 0),
  opened2: v.optional(v.number(), 0),
  closed2: v.optional(v.number(), 0),
  opened3: v.optional(v.number(), 0),
  closed3: v.optional(v.number(), 0),
};
const EpisodesItem = v.object(episodes);
type EpisodesItem = v.InferOutput<typeof EpisodesItem>;

/** Returns the parts of a DynamoDB update that stores an alert's start (ms) and keeps its previous three episodes. */
export const buildOpeningUpdate = (at: number) => ({
  set:
    "opened3 = if_not_exists(opened2, :unknown), closed3 = if_not_exists(closed2, :unknown), " +
    "opened2 = if_not_exists(opened1, :unknown), closed2 = if_not_exists(closed1, :unknown), " +
    "opened1 = if_not_exists(opened, :unknown), closed1 = if_not_exists(closed, :unknown), opened = :opened",
  remove: "closed",
  values: { ":unknown": 0, ":opened": at },
});

/** `flapping`: how the alert flapped at the event's arrival, if so. `isNewer`: if newer than the caller's change. */
export type Holder = {
  eventId: string;
  flapping: Flapping | undefined;
  /** The end of the event's window, and the last change of the alert if its sender states times, in milliseconds. */
  until: number;
  changed?: number | undefined;
  isNewer?: true;
};

/** Converts stored times to episodes, in the same order, without episodes whose start is unknown. */
const toEpisodes = (pairs: readonly (readonly [opened: number, closed: number])[]): Episode[] =>
  pairs
    .filter(([opened]) => opened > 0)
    .map(([opened, closed]) => ({ opened, closed: closed > 0 ? closed : undefined }));

/** Lists an alert's episodes before its last one, the oldest first. */
const listEarlierEpisodes = (item: EpisodesItem): Episode[] =>
  toEpisodes([
    [item.opened3, item.closed3],
    [item.opened2, item.closed2],
    [item.opened1, item.closed1],
  ]);

/** Returns the event that holds a dedupeKey, from the dedupeKey's item. */
export const toHolder = (
  item: EpisodesItem & { eventId: string; expires: number; changed?: number | undefined },
): Holder => ({
  eventId: item.eventId,
  until: item.expires,
  changed: item.changed,
  flapping: detectFlapping(listEarlierEpisodes(item), item.opened),
});

/** Returns how the item's alert flaps if it opens at `at` (in milliseconds); undefined if it does not flap. */
export const detectFlappingOfAlert = (item: EpisodesItem, at: number): Flapping | undefined =>
  detectFlapping([...listEarlierEpisodes(item), ...toEpisodes([[item.opened, item.closed]])].slice(-EPISODES_KEPT), at);
