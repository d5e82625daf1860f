import * as v from "valibot";
import type { TableDeps } from "../deps.ts";
import { WorkspaceId } from "../domain/basics/ids.ts";
import { readControl } from "../store/events/control.ts";

const Of = v.union([
  v.pipe(
    v.object({ ws: WorkspaceId }),
    v.transform(({ ws }) => ws),
  ),
  v.pipe(
    v.object({ marker: v.object({ ws: WorkspaceId }) }),
    v.transform(({ marker }) => marker.ws),
  ),
  v.pipe(
    v.object({ event: v.object({ workspaceId: WorkspaceId }) }),
    v.transform(({ event }) => event.workspaceId),
  ),
]);

/** Returns a function that says whether a message's workspace is deleted. Each call costs a read: only for failed messages. */
export const createDeletedCheck =
  (deps: TableDeps) =>
  async (message: unknown): Promise<boolean> => {
    const of = v.safeParse(Of, message);
    return of.success && (await readControl(deps, of.output)) === undefined;
  };
