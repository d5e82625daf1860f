import type { First } from "../texts/en/first.ts";
import type { Pages } from "../texts/en/pages.ts";
import { language, type Language } from "./language.ts";

/* The texts by language, in parts that are loaded separately. A file of texts imports no other file, so that it loads fast. */

export type Files<Part> = Readonly<Record<Language, () => Promise<Part>>>;

const firsts: Files<{ first: First }> = {
  en: () => import("#texts/en/first"),
  de: () => import("#texts/de/first"),
};
const shared: Files<{ pages: Pages }> = {
  en: () => import("#texts/en/pages"),
  de: () => import("#texts/de/pages"),
};

export const loadInboxTexts = async (): Promise<First> => (await firsts[language]()).first;
export const loadSharedTexts = async (): Promise<Pages> => (await shared[language]()).pages;
export const loadPageTexts = async <Texts>(files: Files<{ texts: Texts }>): Promise<Texts> =>
  (await files[language]()).texts;
