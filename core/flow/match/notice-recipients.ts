import type { TimedDeps } from "../../deps.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import { reachability } from "../../domain/device/device.ts";
import { ownersOf, type People } from "../../domain/people/people.ts";
import { readDevices } from "../../store/people/devices.ts";

/**
 * Returns the people of a workspace for a notice, which must reach somebody: if no push would reach an owner, every
 * member counts as an owner.
 */
export const noticeRecipients = async (deps: TimedDeps, ws: WorkspaceId, people: People): Promise<People> => {
  const owners = ownersOf(people);
  if (owners.length === people.members.size) return people;
  const devices = await readDevices(deps, ws, owners, { members: people.members.size });
  const isReached = owners.some((userId) => reachability(devices.get(userId) ?? [], deps.now()) !== "no");
  return isReached ? people : { ...people, owners: undefined };
};
