import type { Deps } from "../../core/deps.ts";
import { newestPacks } from "../../core/store/packs.ts";

/** The newest packs of a workspace that hold at least so many notifications, or all there are. */
export const listNewestPacks = (deps: Pick<Deps, "table">, ws: string, notifications: number) =>
  Array.fromAsync(newestPacks(deps, ws, notifications));
