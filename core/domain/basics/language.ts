import * as v from "valibot";

export const Language = v.picklist(["en", "de"]);
export type Language = v.InferOutput<typeof Language>;

/** Returns the languages of an Accept-Language header, the preferred languages first. */
export const parsePreferredLanguages = (acceptLanguage: string): string[] =>
  acceptLanguage
    .toLowerCase()
    .split(",")
    .map((part) => ({
      language: part.split(/[-;]/)[0]?.trim() ?? "",
      weight: Number(/;\s*q=([\d.]+)/.exec(part)?.[1] ?? 1),
    }))
    .filter(({ weight }) => weight > 0)
    .toSorted((one, other) => other.weight - one.weight)
    .map(({ language }) => language);

/** Returns the preferred language of those that the service knows; undefined if the header names none. */
export const findSupportedLanguage = (acceptLanguage: string): Language | undefined =>
  parsePreferredLanguages(acceptLanguage).find((one): one is Language => v.is(Language, one));
