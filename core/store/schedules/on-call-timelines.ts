import type { TableDeps } from "../../deps.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import { OnCallTimeline } from "../../domain/on-call/changes.ts";
import { onCallTimelinesPk, onCallTimelineKey } from "../keys.ts";
import { deleteItemIf, putItemIf, queryItems, updateItem } from "../table.ts";

const buildUnchangedCondition = ({ sequence, at }: Pick<OnCallTimeline, "sequence" | "at">) => ({
  condition: "#sequence = :sequence AND #at = :at",
  names: { "#sequence": "sequence", "#at": "at" },
  values: { ":sequence": sequence, ":at": at },
});

export const listOnCallTimelines = (deps: TableDeps, ws: WorkspaceId): Promise<OnCallTimeline[]> =>
  queryItems(deps, { pk: onCallTimelinesPk(ws) }, OnCallTimeline);

/** Stores a group's on-call timeline. Returns false if the timeline has changed since it was read. */
export const writeOnCallTimeline = async (
  deps: TableDeps,
  ws: WorkspaceId,
  before: OnCallTimeline | undefined,
  timeline: OnCallTimeline,
): Promise<boolean> => {
  const key = onCallTimelineKey(ws, timeline.groupId);
  const { kind } = await putItemIf(
    deps,
    key,
    timeline,
    OnCallTimeline,
    before === undefined ? {} : buildUnchangedCondition(before),
  );
  return kind === "done";
};

/** Stores that all changes in a group's timeline are reported, unless the timeline has changed since it was read. */
export const setOnCallReported = async (deps: TableDeps, ws: WorkspaceId, timeline: OnCallTimeline): Promise<void> => {
  const { condition, names, values } = buildUnchangedCondition(timeline);
  await updateItem(deps, onCallTimelineKey(ws, timeline.groupId), OnCallTimeline, {
    update: "SET untold = :none",
    condition,
    names,
    values: { ...values, ":none": [] },
  });
};

/** Removes the timeline of a deleted group. Must be called after the group's last change was reported. */
export const removeOnCallTimeline = async (
  deps: TableDeps,
  ws: WorkspaceId,
  timeline: OnCallTimeline,
): Promise<void> => {
  await deleteItemIf(deps, onCallTimelineKey(ws, timeline.groupId), OnCallTimeline, buildUnchangedCondition(timeline));
};
