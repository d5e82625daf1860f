import type { TimedDeps } from "../../deps.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import { judgeReachability } from "../../domain/device/device.ts";
import { markUnreachable, listOwnerIds, listOverridePeople, type People } from "../../domain/people/people.ts";
import { readDevices } from "../../store/people/devices.ts";

/** Returns the people without a working device. `members`: the workspace's number of members, which decides the cheaper read. */
export const listUnreachable = async (
  deps: TimedDeps,
  ws: WorkspaceId,
  userIds: readonly string[],
  members?: number,
): Promise<string[]> => {
  if (userIds.length === 0) return [];
  const devices = await readDevices(deps, ws, userIds, { members });
  return userIds.filter((userId) => judgeReachability(devices.get(userId) ?? [], deps.now()) === "no");
};

/** Marks people without a working device among those whom an override puts on call from `from` to `to` (milliseconds). */
export const addReachability = async (
  deps: TimedDeps,
  ws: WorkspaceId,
  people: People,
  { from = deps.now(), to = from }: { from?: number; to?: number } = {},
): Promise<People> =>
  markUnreachable(
    people,
    new Set(await listUnreachable(deps, ws, listOverridePeople(people, from, to), people.members.size)),
  );

/** If no push would reach an owner, treats every member as an owner, because the notice must reach somebody. */
export const widenNoticeRecipients = async (deps: TimedDeps, ws: WorkspaceId, people: People): Promise<People> => {
  const owners = listOwnerIds(people);
  if (owners.length === people.members.size) return people;
  const unreachable = await listUnreachable(deps, ws, owners, people.members.size);
  return unreachable.length < owners.length ? people : { ...people, owners: undefined };
};
