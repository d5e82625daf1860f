import { loadPageTexts } from "../app/catalogues.ts";
import { texts as shared } from "../page-texts.ts";
import type { Texts } from "../texts/en/insights.ts";

const own = await loadPageTexts<Texts>({
  en: () => import("#texts/en/insights"),
  de: () => import("#texts/de/insights"),
});
export const texts = { ...shared, ...own };
