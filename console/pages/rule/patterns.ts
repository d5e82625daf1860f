import type { Answers } from "../../app/types.ts";

/** Returns the patterns of whole resources, then the keys, of the event types seen so far. */
export const suggestPatterns = (types: readonly Pick<Answers["EventType"], "eventKey">[]): string[] => {
  const keys = types.map(({ eventKey }) => eventKey);
  return [...new Set(keys.map((key) => `${key.split(".")[0] ?? ""}.*`)), ...keys];
};
