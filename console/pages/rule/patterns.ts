import type { Answers } from "../../app/types.ts";

/** Whole resources such as `booking.*` come first, then event keys. */
export const suggestPatterns = (types: readonly Pick<Answers["EventType"], "eventKey">[]): string[] => {
  const keys = types.map(({ eventKey }) => eventKey);
  return [...new Set(keys.map((key) => `${key.split(".")[0] ?? ""}.*`)), ...keys];
};
