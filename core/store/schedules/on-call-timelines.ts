import type { TableDeps } from "../../deps.ts";
import { OnCallStory } from "../../domain/on-call/changes.ts";
import { onCallStoriesPk, onCallStoryKey } from "../keys.ts";
import { deleteItemIf, putItemIf, queryItems, updateItem } from "../table.ts";

/*
 * Who is on call in each group, as far as somebody has looked on behalf of those who are told of changes. One
 * conditional write decides what changed, and in which order.
 */

/** That a story is still the one that was read. */
const asRead = ({ sequence, at }: Pick<OnCallStory, "sequence" | "at">) => ({
  condition: "#sequence = :sequence AND #at = :at",
  names: { "#sequence": "sequence", "#at": "at" },
  values: { ":sequence": sequence, ":at": at },
});

/** The stories of a workspace, strongly consistent. */
export const listOnCallStories = (deps: TableDeps, ws: string): Promise<OnCallStory[]> =>
  queryItems(deps, { pk: onCallStoriesPk(ws) }, OnCallStory);

/** Writes a story in place of the one that was read, if there was one. False if it is not that one any more. */
export const writeOnCallStory = async (
  deps: TableDeps,
  ws: string,
  before: OnCallStory | undefined,
  story: OnCallStory,
): Promise<boolean> => {
  const key = onCallStoryKey(ws, story.groupId);
  const { kind } = await putItemIf(deps, key, story, OnCallStory, before === undefined ? {} : asRead(before));
  return kind === "done";
};

/** Stores that everything in a story is told, unless somebody has carried it on since. */
export const setOnCallTold = async (deps: TableDeps, ws: string, story: OnCallStory): Promise<void> => {
  const { condition, names, values } = asRead(story);
  await updateItem(deps, onCallStoryKey(ws, story.groupId), OnCallStory, {
    update: "SET untold = :none",
    condition,
    names,
    values: { ...values, ":none": [] },
  });
};

/** Removes the story of a group that is deleted, once it is told. */
export const removeOnCallStory = async (deps: TableDeps, ws: string, story: OnCallStory): Promise<void> => {
  await deleteItemIf(deps, onCallStoryKey(ws, story.groupId), OnCallStory, asRead(story));
};
