import type { TimedDeps } from "../../deps.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import { reachableBy } from "../../domain/device/device.ts";
import { overriding, type People, withUnreachable } from "../../domain/people/people.ts";
import { readDevices } from "../../store/people/devices.ts";

/** Returns the members whom no push would reach. */
export const unreachableOf = async (
  deps: TimedDeps,
  ws: WorkspaceId,
  userIds: readonly string[],
  members?: number,
): Promise<string[]> => {
  if (userIds.length === 0) return [];
  const devices = await readDevices(deps, ws, userIds, { members });
  return userIds.filter((userId) => reachableBy(devices.get(userId) ?? [], deps.now()) === "no");
};

/**
 * Marks the people as unreachable who are on call by an override between two times (milliseconds) and have no
 * working device. Reads nothing if there is no such override.
 */
export const withReach = async (
  deps: TimedDeps,
  ws: WorkspaceId,
  people: People,
  { from = deps.now(), to = from }: { from?: number; to?: number } = {},
): Promise<People> =>
  withUnreachable(people, new Set(await unreachableOf(deps, ws, overriding(people, from, to), people.members.size)));
