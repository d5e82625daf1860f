import type { Api } from "./api.ts";
import type { Answers } from "./types.ts";

/** Returns whether a user is a machine, which has a role but cannot be notified or on call. */
export const isMachine = (userId: string): boolean => userId.startsWith("mch_");

/** Lists the members except machines, because only people can be in groups, schedules and policies. */
export const listHumanMembers = async (api: Api): Promise<Answers["ListedMember"][]> =>
  (await api("members/list-members", {})).filter(({ userId }) => !isMachine(userId));
