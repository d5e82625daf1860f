import type { Answers } from "../../app/types.ts";

/** Suggests patterns of whole resources such as `booking.*` first, then event keys. */
export const suggestPatterns = (types: readonly Pick<Answers["EventType"], "eventKey">[]): string[] => {
  const keys = types.map(({ eventKey }) => eventKey);
  return [...new Set(keys.map((key) => `${key.split(".")[0] ?? ""}.*`)), ...keys];
};
