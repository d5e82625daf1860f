import * as v from "valibot";

/** The languages of notifications and emails. */
export const Language = v.picklist(["en", "de"]);
export type Language = v.InferOutput<typeof Language>;

/** Returns the languages of an `Accept-Language` header, in the reader's order of preference. */
export const parsePreferredLanguages = (accepted: string): string[] =>
  accepted.split(",").map((tag) => tag.trim().split(/[-;]/)[0]?.toLowerCase() ?? "");

/** Returns the first accepted language that the service supports; undefined if it supports none of them. */
export const readLanguage = (accepted: string): Language | undefined =>
  parsePreferredLanguages(accepted).find((one): one is Language => v.is(Language, one));
