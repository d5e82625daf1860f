import type { First } from "../texts/en/first.ts";
import type { Pages } from "../texts/en/pages.ts";
import { language, type Language } from "./language.ts";

/*
 * The texts of each language, in parts that are loaded separately. The build puts each part into a file that
 * imports nothing of the console, because the main file waits for the first part.
 */

/** A part of the texts, in each language. */
export type Files<Part> = Readonly<Record<Language, () => Promise<Part>>>;

const firsts: Files<{ first: First }> = {
  en: () => import("#texts/en/first"),
  de: () => import("#texts/de/first"),
};
const shared: Files<{ pages: Pages }> = {
  en: () => import("#texts/en/pages"),
  de: () => import("#texts/de/pages"),
};

/** Loads the inbox's texts in the reader's language. Further calls use the loaded texts. */
export const loadInboxTexts = async (): Promise<First> => (await firsts[language]()).first;
/** Loads the texts that several other pages share, in the reader's language. Further calls use the loaded texts. */
export const loadSharedTexts = async (): Promise<Pages> => (await shared[language]()).pages;
/** Loads a page's own texts, in the reader's language. Further calls use the loaded texts. */
export const loadPageTexts = async <Texts>(files: Files<{ texts: Texts }>): Promise<Texts> =>
  (await files[language]()).texts;
