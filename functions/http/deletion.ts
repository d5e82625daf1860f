import type { Deps, RecordingTable } from "../../core/deps.ts";
import type { IdPrefix } from "../../core/domain/basics/ids.ts";
import type { Expected } from "../../core/domain/basics/version.ts";
import { asCaller } from "./as-caller.ts";
import { member } from "./auth.ts";
import { expectedVersions } from "./conditional.ts";
import { endpoint } from "./endpoint.ts";
import { deleted } from "./found.ts";
import { pathId } from "./path.ts";

type DeletionDeps = Pick<Deps, "table" | "now" | "newId" | "log">;

/** Deletes one thing of a workspace and says whether it was there. */
type Delete = (
  deps: DeletionDeps & { table: RecordingTable },
  workspaceId: string,
  id: string,
  expected: Expected,
) => Promise<boolean>;

/** The endpoint that deletes the thing whose id is in the path under this name. */
export const deletion =
  <Name extends string>(prefix: IdPrefix, name: Name, deleteOne: Delete) =>
  (deps: DeletionDeps) =>
    endpoint(deps)
      .use(member(deps))
      .use(pathId(prefix, name))
      .handler(async (request) => {
        const { workspaceId, [name]: id } = request;
        return deleted(await deleteOne(asCaller(deps, request), workspaceId, id, expectedVersions(request)), prefix);
      });
