import { globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { chooseLanguage, languages, chooseLocale } from "../../console/app/language.ts";
import { readFirstDayOfWeek } from "../../console/parts/week.ts";
import type { texts as previewTexts } from "../../console/texts/en/preview.ts";
import { readCatalogue } from "../support/catalogues.ts";

describe("the language of the console", () => {
  it.each([
    ["de", "de-AT, then en", ["de-AT", "en"]],
    ["de", "DE", ["DE"]],
    ["de", "fr-FR, then de, then en", ["fr-FR", "de", "en"]],
    ["en", "en-GB, then de", ["en-GB", "de"]],
    ["en", "fr-FR, then it", ["fr-FR", "it"]],
    // No supported language begins with these letters.
    ["en", "den-CA", ["den-CA"]],
    ["en", "constructor (no language, but a name in JavaScript)", ["constructor"]],
    ["en", "no language", []],
  ])("is %s for somebody who prefers %s", (language, _, wanted) => {
    expect(chooseLanguage(wanted)).toBe(language);
  });

  it.each([
    ["de-AT", "de-AT", ["de-AT"]],
    ["en-US", "en-US, then de", ["en-US", "de"]],
    // English, with the time format of the reader's region.
    ["en-FR-u-hc-h23", "fr-FR", ["fr-FR"]],
    ["en-FR-u-hc-h23", "fr", ["fr"]],
    ["de-FR-u-hc-h23", "fr-FR, then de", ["fr-FR", "de"]],
    ["en-US-u-hc-h12", "es-US", ["es-US"]],
    ["en", "no language", []],
  ])("writes times in the locale %s for somebody who prefers %s", (locale, _, wanted) => {
    expect(chooseLocale(wanted)).toBe(locale);
  });

  it.each([
    ["de-DE", 1],
    ["en-US", 7],
    ["ar-EG", 6],
  ])("begins the week on weekday $1 (1 is Monday) for somebody whose region is $0", (tag, day) => {
    expect(readFirstDayOfWeek(tag)).toBe(day);
  });

  it("is written from left to right", () => {
    expect(languages).toEqual({ en: "ltr", de: "ltr" });
  });
});

const given: readonly [what: string, values: unknown[]][] = [
  ["one", [1, 1, 1, 1]],
  ["two", [2, 2, 2, 2]],
  ["names", ["A", "B", "C", "D"]],
  ["lists", [["A"], ["B"], ["C"], ["D"]]],
  ["name and lists", ["A", ["B"], ["C"]]],
  ["numbers and lists", [1, 2, ["C"]]],
  ["name, number and lists", ["A", 2, ["C"]]],
];
/** Different values for each kind of parameter of a text. */
const distinct: readonly unknown[][] = [
  [11, 22, 33, 44],
  ["Aaa", "Bbb", "Ccc", "Ddd"],
  ["Aaa", 22, 33, 44],
  [["Aaa"], 22, 33, 44],
  ["Aaa", ["Bbb"], 33],
  ["Aaa", "Bbb", 33, 44],
  ...[["Aaa"], [["Aaa"]], []].map((before) => [...before, { step: 22, steps: 33, round: 44 }]),
];
/** Returns what a text function returns for each kind of parameters, except kinds for which it throws. */
const listResults = (
  text: (...given: unknown[]) => unknown,
  parameterKinds: typeof given,
): [what: string, text: string][] =>
  parameterKinds.flatMap(([what, values]): [string, string][] => {
    try {
      return [[what, [text(...values)].flat().join(" … ")]];
    } catch {
      return [];
    }
  });

/** Returns each text with its path; a text with parameters is replaced by its results. */
const listTexts = (catalogue: object, path = "", parameterKinds = given): [path: string, text: string][] =>
  Object.entries(catalogue).flatMap(([name, value]): [string, string][] => {
    const at = `${path}.${name}`;
    if (typeof value === "string") return [[at, value]];
    if (typeof value !== "function") return listTexts(value as object, at, parameterKinds);
    return listResults(value as () => string, parameterKinds).map(([what, text]) => [`${at}(${what})`, text]);
  });

const [ofEnglish, ofGerman] = await Promise.all([readCatalogue("en"), readCatalogue("de")]);
const english = new Map(listTexts(ofEnglish));
const german = new Map(listTexts(ofGerman));

describe("the console's text catalogues", () => {
  it("have every text in each language, and no empty text", () => {
    expect(english.size).toBeGreaterThan(800);
    const hasNamesOrNoParameters = (path: string) => !path.includes("(") || path.includes("(names)");
    expect([...german.keys()].filter(hasNamesOrNoParameters)).toEqual(
      [...english.keys()].filter(hasNamesOrNoParameters),
    );
    expect([...english, ...german].filter(([, text]) => text.trim() === "")).toEqual([]);
  });

  it("have no long text that is the same in both languages", () => {
    const same = [...german].filter(
      ([path, text]) => text === english.get(path) && /\p{L}{2}.* .*\p{L}{2}.* /u.test(text),
    );
    expect(same).toEqual([]);
  });

  it("end a sentence with the same punctuation in both languages", () => {
    const readPunctuation = (text: string): string => /[.?…:]$/.exec(text)?.[0] ?? "";
    const other = [...german].filter(
      ([path, text]) => readPunctuation(text) !== readPunctuation(english.get(path) ?? text),
    );
    expect(other).toEqual([]);
  });

  it("have their placeholders in the same order in both languages, so that no two are swapped", () => {
    const readPlaceholderOrder = (text: string): string =>
      (text.toLowerCase().match(/1[01]|2[12]|3[23]|4[34]|aaa|bbb|ccc|ddd/g) ?? []).join(" ");
    const listPlaceholderOrders = (catalogue: object) =>
      new Map(
        distinct.flatMap((values, index) =>
          listTexts(catalogue, `${index}`, [["", values]]).map(([at, text]) => [at, readPlaceholderOrder(text)]),
        ),
      );
    const inEnglish = listPlaceholderOrders(ofEnglish);
    const swapped = [...listPlaceholderOrders(ofGerman)].filter(([at, said]) => (inEnglish.get(at) ?? said) !== said);

    expect(new Set(swapped.map(([at]) => at.replace(/^\d+/, "")))).toEqual(
      // English names the channel first, German the minutes.
      new Set([".notification-rules.ts.texts.notificationRules.floor()"]),
    );
  });

  it("have one German word for each English word, except for words with several meanings", () => {
    const words = [...english].filter(([path, text]) => !path.includes("(") && !/[ .?:…]/.test(text));
    const meanings = Map.groupBy(words, ([, text]) => text);
    const several = [...meanings].filter(([, some]) => new Set(some.map(([path]) => german.get(path))).size > 1);

    expect(several.map(([text]) => text).toSorted()).toEqual([
      "Enabled",
      "Keys",
      "Notifications",
      "Open",
      "Pages",
      "Probe",
      "Withdraw",
      "Working",
    ]);
  });

  it("use the singular form after the number one", () => {
    const listPlurals = (texts: typeof english, plural: RegExp): string[] =>
      [...texts].filter(([, text]) => plural.test(text)).map(([path]) => path.replace(/\(.*/, ""));
    const found = [
      ...listPlurals(english, /\b1 (days|events|people|steps|values)\b/),
      ...listPlurals(german, /\b1 (Ereignisse|Ereignissen|Personen|Schritten|Tage|weitere Empfänger|Werten)\b/),
    ];
    // This text is used only for two or more invited people.
    expect(new Set(found)).toEqual(new Set([".people.ts.texts.invitations.sentAll"]));
  });

  it("contain the quotation marks around names, so that no page adds its own", () => {
    const sources = globSync("console/{pages,parts}/**/*.tsx").map((file) => readFileSync(file, "utf8"));
    expect(sources.filter((source) => source.includes('`"${'))).toEqual([]);
  });

  it("use German quotation marks in German", () => {
    const withoutJson = [...german.values()].map((text) => text.replaceAll(/\{.*?\}/g, ""));
    expect(withoutJson.filter((text) => /["']/.test(text))).toEqual([]);
  });
});

it.each([
  ["en", "Nights in the next 12 weeks", "Ann: 42 → 28", "Each person has as many nights as before."],
  ["de", "Nächte in den nächsten 12 Wochen", "Ann: 42 → 28", "Alle haben so viele Nächte wie bisher."],
])(
  "the on-call schedule editor says in the language %s how many nights people have before and after the change",
  async (language, ...said) => {
    const { preview } = (await readCatalogue(language))["preview.ts"]!["texts" as never] as typeof previewTexts;

    expect([preview.nights(12), preview.nightsOf("Ann", 42, 28), preview.sameNights]).toEqual(said);
  },
);
