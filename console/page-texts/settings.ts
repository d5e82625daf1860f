import { loadPageTexts } from "../app/catalogues.ts";
import { texts as shared } from "../page-texts.ts";
import type { Texts } from "../texts/en/settings.ts";

const own = await loadPageTexts<Texts>({
  en: () => import("#texts/en/settings"),
  de: () => import("#texts/de/settings"),
});
export const texts = { ...shared, ...own };
