import { loadPageTexts } from "../app/catalogues.ts";
import { texts as shared } from "../page-texts.ts";
import type { Texts } from "../texts/en/import.ts";

const own = await loadPageTexts<Texts>({
  en: () => import("#texts/en/import"),
  de: () => import("#texts/de/import"),
});
export const texts = { ...shared, ...own };
