import type { Api } from "./api.ts";
import type { Answers } from "./types.ts";

/** A program has a role, but can neither be notified nor be on call. */
export const isMachine = (userId: string): boolean => userId.startsWith("mch_");

/** Groups, schedules and policies can name only people. */
export const listHumanMembers = async (api: Api): Promise<Answers["ListedMember"][]> =>
  (await api("members/list-members", {})).filter(({ userId }) => !isMachine(userId));
