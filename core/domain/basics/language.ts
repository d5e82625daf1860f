import * as v from "valibot";

export const Language = v.picklist(["en", "de"]);
export type Language = v.InferOutput<typeof Language>;

/** Returns the languages of a header Accept-Language, the preferred ones first. */
export const parsePreferredLanguages = (accepted: string): string[] =>
  accepted
    .toLowerCase()
    .split(",")
    .map((part) => ({
      language: part.split(/[-;]/)[0]?.trim() ?? "",
      weight: Number(/;\s*q=([\d.]+)/.exec(part)?.[1] ?? 1),
    }))
    .filter(({ weight }) => weight > 0)
    .toSorted((one, other) => other.weight - one.weight)
    .map(({ language }) => language);

export const readLanguage = (accepted: string): Language | undefined =>
  parsePreferredLanguages(accepted).find((one): one is Language => v.is(Language, one));
