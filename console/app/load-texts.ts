import { loadSharedTexts } from "./catalogues.ts";
import { language } from "./language.ts";

/** Returns the URLs of all texts, which the shell lists. */
const textUrls = (): string[] =>
  document.querySelector('meta[name="texts"]')?.getAttribute("content")?.split(" ") ?? [];

/** Returns the name of a page's own texts: the first part of its path. */
export const ownTextsName = (pathname: string): string => pathname.split("/")[1] ?? "";

/** Loads the texts of a page or a part before its modules need them; does nothing for a name without texts. */
export const loadTexts = async (name: string): Promise<void> => {
  const address = textUrls().find((one) => one.slice(0, one.lastIndexOf("-")) === `/assets/${language}-${name}`);
  await Promise.all([loadSharedTexts(), address === undefined ? undefined : import(address)]);
};
