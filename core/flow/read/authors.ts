import type { TableDeps } from "../../deps.ts";
import type { Authored, Authors } from "../../domain/basics/authored.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import { createMemberNamer } from "../../store/people/read-members.ts";

type WithAuthors<Item> = Omit<Item, keyof Authored> & Authors;

/** Adds the current names of the people who created and last changed the items. */
export const addAuthors = async <Item extends Authored>(
  deps: TableDeps,
  ws: WorkspaceId,
  items: readonly Item[],
): Promise<WithAuthors<Item>[]> => {
  const call = await createMemberNamer(
    deps,
    ws,
    items.flatMap(({ createdBy, updatedBy }) => [createdBy, updatedBy]),
  );
  return items.map((item) => ({ ...item, createdBy: call(item.createdBy), updatedBy: call(item.updatedBy) }));
};

export const addAuthor = async <Item extends Authored>(
  deps: TableDeps,
  ws: WorkspaceId,
  item: Item,
): Promise<WithAuthors<Item>> => {
  const { createdBy, updatedBy } = item;
  const call = await createMemberNamer(deps, ws, [createdBy, updatedBy]);
  return { ...item, createdBy: call(createdBy), updatedBy: call(updatedBy) };
};
