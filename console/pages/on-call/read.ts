import type { Api } from "../../app/api.ts";
import { Failed } from "../../app/failure.ts";
import type { Answers } from "../../app/types.ts";

/** A group's schedule with its overrides; undefined: the group has none, which the API answers with 404. */
export const readSchedule = async (api: Api, groupId: string): Promise<Answers["OnCallSchedule"] | undefined> => {
  try {
    return await api("on-call/get-on-call", { path: { groupId } });
  } catch (error) {
    if (error instanceof Failed && error.failure.kind === "refused" && error.failure.status === 404) return undefined;
    throw error;
  }
};
