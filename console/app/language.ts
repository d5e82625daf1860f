export const languages = { en: "ltr", de: "ltr" } as const;
export type Language = keyof typeof languages;

const isLanguage = (name: string): name is Language => Object.hasOwn(languages, name);

/** The reader's languages, the most preferred first. */
export const wanted: readonly string[] = globalThis.navigator?.languages ?? [];

/** Returns the first preferred language that the console has; English if there is none. */
export const chooseLanguage = (preferredTags: readonly string[]): Language =>
  preferredTags.map((tag) => tag.toLowerCase().split("-")[0] ?? "").find(isLanguage) ?? "en";

const readHourCycle = (languageTag: string) =>
  new Intl.DateTimeFormat(languageTag, { hour: "numeric" }).resolvedOptions().hourCycle ?? "h23";

/** Returns a locale of the texts' language and the reader's region: English in Lyon has the 24-hour clock. */
export const chooseLocale = (preferredTags: readonly string[]): string => {
  const language = chooseLanguage(preferredTags);
  const own = preferredTags[0] ?? language;
  if (new Intl.Locale(own).language === language) return own;
  const { region } = new Intl.Locale(own).maximize();
  return new Intl.Locale(language, { ...(region && { region }), hourCycle: readHourCycle(own) }).toString();
};

export const language = chooseLanguage(wanted);
export const locale = chooseLocale(wanted);
