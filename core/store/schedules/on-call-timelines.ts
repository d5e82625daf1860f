import type { TableDeps } from "../../deps.ts";
import { OnCallTimeline } from "../../domain/on-call/changes.ts";
import { onCallTimelinesPk, onCallTimelineKey } from "../keys.ts";
import { deleteItemIf, putItemIf, queryItems, updateItem } from "../table.ts";

/*
 * Who is on call in each group, as far as somebody has looked on behalf of those who are told of changes. One
 * conditional write decides what changed, and in which order.
 */

/** That a story is still the one that was read. */
const asRead = ({ sequence, at }: Pick<OnCallTimeline, "sequence" | "at">) => ({
  condition: "#sequence = :sequence AND #at = :at",
  names: { "#sequence": "sequence", "#at": "at" },
  values: { ":sequence": sequence, ":at": at },
});

/** The stories of a workspace, strongly consistent. */
export const listOnCallTimelines = (deps: TableDeps, ws: string): Promise<OnCallTimeline[]> =>
  queryItems(deps, { pk: onCallTimelinesPk(ws) }, OnCallTimeline);

/** Writes a story in place of the one that was read, if there was one. False if it is not that one any more. */
export const writeOnCallTimeline = async (
  deps: TableDeps,
  ws: string,
  before: OnCallTimeline | undefined,
  timeline: OnCallTimeline,
): Promise<boolean> => {
  const key = onCallTimelineKey(ws, timeline.groupId);
  const { kind } = await putItemIf(deps, key, timeline, OnCallTimeline, before === undefined ? {} : asRead(before));
  return kind === "done";
};

/** Stores that everything in a story is told, unless somebody has carried it on since. */
export const setOnCallReported = async (deps: TableDeps, ws: string, timeline: OnCallTimeline): Promise<void> => {
  const { condition, names, values } = asRead(timeline);
  await updateItem(deps, onCallTimelineKey(ws, timeline.groupId), OnCallTimeline, {
    update: "SET untold = :none",
    condition,
    names,
    values: { ...values, ":none": [] },
  });
};

/** Removes the story of a group that is deleted, once it is told. */
export const removeOnCallTimeline = async (deps: TableDeps, ws: string, timeline: OnCallTimeline): Promise<void> => {
  await deleteItemIf(deps, onCallTimelineKey(ws, timeline.groupId), OnCallTimeline, asRead(timeline));
};
