import { expect, it } from "vitest";
import { parsePreferredLanguages, findSupportedLanguage } from "../../../../core/domain/basics/language.ts";

it.each([
  ["de", ["de"], "de"],
  ["de-AT,de;q=0.9,en;q=0.8", ["de", "de", "en"], "de"],
  ["fr, EN-us;q=0.5 ,de", ["fr", "de", "en"], "de"],
  ["de;q=0.5,en", ["en", "de"], "en"],
  ["fr;q=0.5, de ; q=0.25, en; q=0.25", ["fr", "de", "en"], "de"],
  ["de;q=0,fr;q=0.000, EN;Q=0.1", ["en"], "en"],
  ["en;q=1", ["en"], "en"],
  ["fr", ["fr"], undefined],
  ["*", ["*"], undefined],
  ["", [""], undefined],
])("the header Accept-Language: %j lists the languages %j and selects %j", (accepted, preferred, language) => {
  expect(parsePreferredLanguages(accepted)).toEqual(preferred);
  expect(findSupportedLanguage(accepted)).toBe(language);
});
