import { expect, it } from "vitest";
import { parsePreferredLanguages, findSupportedLanguage } from "../../../../core/domain/basics/language.ts";

it.each([
  ["de", "de", "de"],
  ["de-AT,de;q=0.9,en;q=0.8", "de, de, en", "de"],
  ["fr, EN-us;q=0.5 ,de", "fr, de, en", "de"],
  ["de;q=0.5,en", "en, de", "en"],
  ["fr;q=0.5, de ; q=0.25, en; q=0.25", "fr, de, en", "de"],
  ["de;q=0,fr;q=0.000, EN;Q=0.1", "en", "en"],
  ["en;q=1", "en", "en"],
])(
  "the header Accept-Language: %j prefers, in this order, %s; the service then uses %s",
  (accepted, preferred, language) => {
    expect(parsePreferredLanguages(accepted)).toEqual(preferred.split(", "));
    expect(findSupportedLanguage(accepted)).toBe(language);
  },
);

it.each(["fr", "*", ""])("the header Accept-Language: %j names no supported language", (accepted) => {
  expect(parsePreferredLanguages(accepted)).toEqual([accepted]);
  expect(findSupportedLanguage(accepted)).toBeUndefined();
});
