import type { TimedDeps } from "../../deps.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import { reachability } from "../../domain/device/device.ts";
import { peopleOfOverrides, type People, markUnreachable } from "../../domain/people/people.ts";
import { readDevices } from "../../store/people/devices.ts";

/** Returns the members whom no push would reach. */
export const listUnreachable = async (
  deps: TimedDeps,
  ws: WorkspaceId,
  userIds: readonly string[],
  members?: number,
): Promise<string[]> => {
  if (userIds.length === 0) return [];
  const devices = await readDevices(deps, ws, userIds, { members });
  return userIds.filter((userId) => reachability(devices.get(userId) ?? [], deps.now()) === "no");
};

/**
 * Marks the people as unreachable who are on call by an override between two times (milliseconds) and have no
 * working device. Reads nothing if there is no such override.
 */
export const addReachability = async (
  deps: TimedDeps,
  ws: WorkspaceId,
  people: People,
  { from = deps.now(), to = from }: { from?: number; to?: number } = {},
): Promise<People> =>
  markUnreachable(
    people,
    new Set(await listUnreachable(deps, ws, peopleOfOverrides(people, from, to), people.members.size)),
  );
