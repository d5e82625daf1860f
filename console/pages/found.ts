import { failureOf } from "../app/failure.ts";

/** What was asked for; undefined where there is no such thing, which the API answers with 404. */
export const ifFound = async <Found>(asked: Promise<Found>): Promise<Found | undefined> => {
  try {
    return await asked;
  } catch (error) {
    const failure = failureOf(error);
    if (failure.kind === "refused" && failure.status === 404) return undefined;
    throw error;
  }
};
