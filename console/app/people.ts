import type { Api } from "./api.ts";
import type { Answers } from "./types.ts";

/** Returns whether a member is a program, which has a role but can neither be notified nor be on call. */
export const isMachine = (userId: string): boolean => userId.startsWith("mch_");

/** Lists the members who are people, whom groups, schedules and policies can name. */
export const listHumanMembers = async (api: Api): Promise<Answers["ListedMember"][]> =>
  (await api("members/list-members", {})).filter(({ userId }) => !isMachine(userId));
