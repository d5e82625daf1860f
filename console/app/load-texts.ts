import { loadSharedTexts } from "./catalogues.ts";
import { language } from "./language.ts";

const listTextUrls = (): string[] =>
  document.querySelector('meta[name="texts"]')?.getAttribute("content")?.split(" ") ?? [];

/** Returns the name of a page's texts: the first part of the page's path. */
export const toTextsName = (pathname: string): string => pathname.split("/")[1] ?? "";

/** Loads the shared texts, and the texts called `name` if they exist. Must finish before the page's modules run. */
export const loadTexts = async (name: string): Promise<void> => {
  const address = listTextUrls().find((one) => one.slice(0, one.lastIndexOf("-")) === `/assets/${language}-${name}`);
  await Promise.all([loadSharedTexts(), address === undefined ? undefined : import(address)]);
};
