import type { TableDeps, TimedDeps } from "../../deps.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import { areAllLongUnseen, judgeReachability } from "../../domain/device/device.ts";
import { toMemberView, type ListedMember, type MemberView } from "../../domain/people/member.ts";
import { readAllDevices } from "../../store/people/devices.ts";
import { listMembers as readMembers, readMember, readOwners } from "../../store/people/read-members.ts";

/** Lists members in the order in which they joined. */
export const listMembers = async (deps: TimedDeps, ws: WorkspaceId): Promise<ListedMember[]> => {
  const [members, owners, devices] = await Promise.all([
    readMembers(deps, ws),
    readOwners(deps, ws),
    readAllDevices(deps, ws),
  ]);
  const now = deps.now();
  const names = new Map(members.map(({ userId, name }) => [userId, name]));
  return members.map((member) => {
    const own = devices.get(member.userId) ?? [];
    return {
      ...toMemberView(member, owners, (id) => names.get(id)),
      reachable: judgeReachability(own, now),
      silent: areAllLongUnseen(own, now),
    };
  });
};

export const readMemberView = async (deps: TableDeps, ws: WorkspaceId, id: string): Promise<MemberView | undefined> => {
  const member = await readMember(deps, ws, id);
  if (member === undefined) return undefined;
  const { addedBy } = member;
  const adder = addedBy === undefined ? undefined : await readMember(deps, ws, addedBy);
  return toMemberView(member, await readOwners(deps, ws), () => adder?.name);
};
