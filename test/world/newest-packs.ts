import type { Deps } from "../../core/deps.ts";
import type { WorkspaceId } from "../../core/domain/basics/ids.ts";
import { walkNewestPacks } from "../../core/store/delivery/packs.ts";

/** Returns the newest packs that together hold at least this many notifications, or all packs. */
export const listNewestPacks = (deps: Pick<Deps, "table">, ws: WorkspaceId, notifications: number) =>
  Array.fromAsync(walkNewestPacks(deps, ws, notifications));
