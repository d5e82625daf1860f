import type { Deps } from "../core/deps.ts";
import { toIso } from "../core/domain/basics/time.ts";
import { listDeleted, listDeletions } from "../core/store/deletions.ts";

/** Who has deleted which workspace, those first of which something is left. */
export const listAllDeletions = async (deps: Pick<Deps, "table">) => {
  const shown = { workspaceId: "", name: "", by: "", requestId: "", at: "", gone: null };
  const going = (await listDeletions(deps)).map((one) =>
    one.kind === "unreadable"
      ? { ...shown, workspaceId: one.key.sk }
      : {
          workspaceId: one.item.ws,
          name: one.item.name,
          by: one.item.by,
          requestId: one.item.requestId,
          at: toIso(one.item.at),
          gone: null,
        },
  );
  const gone = (await listDeleted(deps)).map(({ ws, name, by, requestId, at, done }) => ({
    workspaceId: ws,
    name,
    by,
    requestId,
    at: toIso(at),
    gone: toIso(done),
  }));
  return [...going, ...gone];
};
