import type { Deps, AuditDeps } from "../../deps.ts";
import { AGAIN, retryChange } from "../../domain/basics/attempt.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import { refuseField } from "../../domain/basics/refusal.ts";
import { REQUEST_MS } from "../../domain/basics/limits.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../domain/basics/units.ts";
import type { IfMatch } from "../../domain/basics/version.ts";
import type { Workspace } from "../../domain/workspace/workspace.ts";
import {
  type Deletion,
  endAdmission,
  invalidateKeys,
  listDeletions,
  recordDeletion,
  putDeletion,
  removeDeletion,
} from "../../store/people/deletions.ts";
import { emptyWorkspace, endMemberships } from "../../store/people/empty-workspace.ts";
import { readWorkspace } from "../../store/people/read-workspace.ts";
import { deleteWorkspaceItem } from "../../store/people/workspaces.ts";
import { postponeFailed, type Sweep } from "./due-items.ts";

/* A deletion makes memberships and API keys invalid at once. Later sweeps remove the workspace's items, within a time limit. */

/** The time limit for removing memberships within the request; the sweeper removes the remaining memberships. */
const MEMBERS_MS = 5 * SECOND_MS;
/** The time limit of one deletion in a sweep, so that one deletion does not delay other deletions. */
const TURN_MS = 20 * SECOND_MS;
/** How long work that was running at the deletion may still write items; after this time, all partitions are emptied again. */
const SETTLED_MS = HOUR_MS;
const LOOKS = 2;
const FAILED_PAUSE_MS = 2 * MINUTE_MS;

type DeletionDeps = Pick<Deps, "table" | "now" | "log">;

/** Throws a refusal unless `typed` is the workspace's name, which an owner types to confirm the deletion. */
const requireTypedName = ({ name }: Pick<Workspace, "name">, typed: string): void => {
  if (typed === name) return;
  const message = `name must be the name of the workspace to delete: ${JSON.stringify(name)}.`;
  throw refuseField("name", "wrong_name", message);
};

/** Ends the admission of events, and stores with the deletion which event numbers were assigned. */
const closeAdmission = (deps: DeletionDeps, deletion: Deletion): Promise<Deletion> =>
  retryChange({ item: `the sequence numbers of ${deletion.ws}` }, async () => {
    const numbers = await invalidateKeys(deps, deletion.ws);
    if (numbers === undefined) return deletion;
    const counted = { ...deletion, numbers };
    await putDeletion(deps, counted);
    return (await endAdmission(deps, deletion.ws, numbers)) ? counted : AGAIN;
  });

/** Deletes a workspace; false if it does not exist. Throws `invalid_input` for a wrong name, and `changed_meanwhile`. */
export const deleteWorkspace = async (
  deps: AuditDeps<"log">,
  ws: WorkspaceId,
  { name: typed, by, expected }: { name: string; by: string; expected?: IfMatch },
): Promise<boolean> => {
  const workspace = await readWorkspace(deps, ws);
  if (workspace === undefined) return false;
  requireTypedName(workspace, typed);
  const at = deps.now();
  const { requestId } = deps.table.author;
  const deletion: Deletion = { ws, name: typed, by, requestId, at, due: at + REQUEST_MS, look: 1, step: 0 };
  // The deletion is stored first, because only the stored deletion says that the workspace's items must be removed.
  await putDeletion(deps, deletion);
  const known = await deleteWorkspaceItem(deps, ws, {
    ...(expected === undefined ? {} : { expected }),
    check: (found) => requireTypedName(found, typed),
  });
  deps.log.info("workspace.deleted", { workspaceId: ws, userId: by });
  await closeAdmission(deps, deletion);
  await endMemberships(deps, ws, deps.now() + MEMBERS_MS);
  return known !== undefined;
};

/** Continues a deletion until `until` (ms). Cancels a deletion whose workspace still exists: its request was refused or died. */
const resumeDeletion = async (deps: DeletionDeps, deletion: Deletion, until: number): Promise<void> => {
  const { ws, look } = deletion;
  if ((await readWorkspace(deps, ws)) !== undefined) return removeDeletion(deps, deletion);
  const { numbers = 0, step, from, ...rest } = await closeAdmission(deps, deletion);
  const { done, ...progress } = await emptyWorkspace(deps, { ws, numbers, until }, { step, from });
  if (!done) return putDeletion(deps, { ...rest, numbers, ...progress, due: deps.now() });
  if (look < LOOKS)
    return putDeletion(deps, { ...rest, numbers, look: look + 1, step: 0, due: deps.now() + SETTLED_MS });
  await recordDeletion(deps, deletion);
  await removeDeletion(deps, deletion);
  deps.log.info("workspace.gone", { workspaceId: ws });
};

export const sweepDeletions = async (deps: DeletionDeps, sweep: Sweep): Promise<void> => {
  for (const deletion of await listDeletions(deps)) {
    if (deps.now() >= sweep.until) return;
    if (deletion.kind === "unreadable") sweep.fail(deletion.key, deletion.error);
    else if (deletion.item.due <= deps.now())
      await resumeDeletion(deps, deletion.item, Math.min(sweep.until, deps.now() + TURN_MS)).catch((error: unknown) =>
        postponeFailed(sweep, deletion.key, error, () =>
          putDeletion(deps, { ...deletion.item, due: deps.now() + FAILED_PAUSE_MS }),
        ),
      );
  }
};
