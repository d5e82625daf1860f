import { loadPageTexts } from "../app/catalogues.ts";
import { texts as shared } from "../page-texts.ts";
import type { Texts } from "../texts/en/what-if.ts";

const own = await loadPageTexts<Texts>({
  en: () => import("#texts/en/what-if"),
  de: () => import("#texts/de/what-if"),
});
export const texts = { ...shared, ...own };
