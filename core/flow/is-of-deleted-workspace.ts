import * as v from "valibot";
import type { TableDeps } from "../deps.ts";
import { readControl } from "../store/events/control.ts";

/** Where a message of the queues says of which workspace it is. */
const Of = v.union([
  v.pipe(
    v.object({ ws: v.string() }),
    v.transform(({ ws }) => ws),
  ),
  v.pipe(
    v.object({ marker: v.object({ ws: v.string() }) }),
    v.transform(({ marker }) => marker.ws),
  ),
  v.pipe(
    v.object({ event: v.object({ workspaceId: v.string() }) }),
    v.transform(({ event }) => event.workspaceId),
  ),
]);

/**
 * Whether a message is of a workspace that was deleted. Asked of one that could not be worked, so that it costs a read
 * only then.
 */
export const isOfDeletedWorkspace =
  (deps: TableDeps) =>
  async (message: unknown): Promise<boolean> => {
    const of = v.safeParse(Of, message);
    return of.success && (await readControl(deps, of.output)) === undefined;
  };
