import type { TableDeps } from "../deps.ts";
import * as v from "valibot";
import { isActorId, isId, type WorkspaceId } from "../domain/basics/ids.ts";
import { groupKey, memberKey } from "./keys.ts";
import { batchGetItems, getItem } from "./table.ts";

const Named = v.object({ userId: v.optional(v.string()), id: v.optional(v.string()), name: v.string() });

/** Reads the current names of people, machines and groups by id. Ignores ids of other kinds. */
export const readNames = async (
  deps: TableDeps,
  ws: WorkspaceId,
  ids: readonly string[],
): Promise<Map<string, string>> => {
  const keys = [...new Set(ids)].flatMap((id) => {
    if (isActorId(id)) return [memberKey(ws, id)];
    return isId("grp", id) ? [groupKey(ws, id)] : [];
  });
  const found = await batchGetItems(deps, keys, Named, { consistent: false });
  return new Map(found.map(({ userId, id, name }) => [userId ?? id ?? "", name]));
};

export const readGroupName = async (deps: TableDeps, ws: WorkspaceId, groupId: string): Promise<string | undefined> =>
  (await getItem(deps, groupKey(ws, groupId), Named))?.name;
