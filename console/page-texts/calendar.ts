import { loadPageTexts } from "../app/catalogues.ts";
import { texts as shared } from "../page-texts.ts";
import type { Texts } from "../texts/en/calendar.ts";

const own = await loadPageTexts<Texts>({
  en: () => import("#texts/en/calendar"),
  de: () => import("#texts/de/calendar"),
});
export const texts = { ...shared, ...own };
