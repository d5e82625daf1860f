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

/** Returns whether a message belongs to a deleted workspace. Callers check only failed messages, because a check costs a read. */
export const isOfDeletedWorkspace =
  (deps: TableDeps) =>
  async (message: unknown): Promise<boolean> => {
    const of = v.safeParse(Of, message);
    return of.success && (await readControl(deps, of.output)) === undefined;
  };
