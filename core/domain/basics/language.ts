import * as v from "valibot";

/** The languages of the messages that people get. */
export const Language = v.picklist(["en", "de"]);
export type Language = v.InferOutput<typeof Language>;

/** The languages that a reader prefers, the best first, as browsers send them in `Accept-Language`. */
export const preferredLanguages = (accepted: string): string[] =>
  accepted.split(",").map((tag) => tag.trim().split(/[-;]/)[0]?.toLowerCase() ?? "");

/** The first of them that has texts; undefined if none has. */
export const readLanguage = (accepted: string): Language | undefined =>
  preferredLanguages(accepted).find((one): one is Language => v.is(Language, one));
