import * as v from "valibot";

export const Language = v.picklist(["en", "de"]);
export type Language = v.InferOutput<typeof Language>;

/** Returns languages in the reader's order of preference. */
export const parsePreferredLanguages = (accepted: string): string[] =>
  accepted.split(",").map((tag) => tag.trim().split(/[-;]/)[0]?.toLowerCase() ?? "");

export const readLanguage = (accepted: string): Language | undefined =>
  parsePreferredLanguages(accepted).find((one): one is Language => v.is(Language, one));
