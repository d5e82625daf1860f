import type { First } from "../texts/en/first.ts";
import type { Pages } from "../texts/en/pages.ts";
import { language, type Language } from "./language.ts";

/*
 * The texts of each language, in the parts in which they are loaded. The build makes a file of each that imports nothing
 * of the console: its main file waits for the first of them.
 */

const firsts: Readonly<Record<Language, () => Promise<{ first: First }>>> = {
  en: () => import("#texts/en/first"),
  de: () => import("#texts/de/first"),
};
const rests: Readonly<Record<Language, () => Promise<{ pages: Pages }>>> = {
  en: () => import("#texts/en/pages"),
  de: () => import("#texts/de/pages"),
};

/** Loads what is needed before the inbox can be used, in the reader's language; a second call is free. */
export const loadFirst = async (): Promise<First> => (await firsts[language]()).first;
/** Loads what the other pages say, in the reader's language; a second call is free. */
export const loadPages = async (): Promise<Pages> => (await rests[language]()).pages;
