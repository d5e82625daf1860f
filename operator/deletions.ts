import type { Deps } from "../core/deps.ts";
import { toIso } from "../core/domain/basics/time.ts";
import { type Deleted, listDeletedWorkspaces, listDeletions } from "../core/store/people/deletions.ts";

/** Converts a deletion for the operator. `gone`: the time at which all data was deleted, or null. */
const toDeletionView = (
  { ws, name, by, requestId, at }: Pick<Deleted, "ws" | "name" | "by" | "requestId" | "at">,
  gone: string | null,
) => ({ workspaceId: ws, name, by, requestId, at: toIso(at), gone });

/** Lists deletions of workspaces, unfinished ones first. For a deletion that cannot be read, returns only the workspace's id. */
export const listAllDeletions = async (deps: Pick<Deps, "table">) => [
  ...(await listDeletions(deps)).map((one) =>
    one.kind === "unreadable"
      ? { workspaceId: one.key.sk, name: "", by: "", requestId: "", at: "", gone: null }
      : toDeletionView(one.item, null),
  ),
  ...(await listDeletedWorkspaces(deps)).map((one) => toDeletionView(one, toIso(one.done))),
];
