import type { Deps } from "../../deps.ts";
import { areSilent, reachableBy } from "../../domain/people/device.ts";
import type { ListedMember } from "../../domain/people/member.ts";
import { readAllDevices } from "../../store/devices.ts";
import { listMembers as readMembers } from "../../store/members.ts";

/** The members of a workspace in the order in which they joined, each with whether a push would arrive. */
export const listMembers = async (deps: Pick<Deps, "table" | "now">, ws: string): Promise<ListedMember[]> => {
  const [members, devices] = await Promise.all([readMembers(deps, ws), readAllDevices(deps, ws)]);
  const now = deps.now();
  return members.map((member) => {
    const own = devices.get(member.userId) ?? [];
    return { ...member, reachable: reachableBy(own, now), silent: areSilent(own, now) };
  });
};
