import { loadPageTexts } from "../app/catalogues.ts";
import { texts as shared } from "../page-texts.ts";
import type { Texts } from "../texts/en/connections.ts";

const own = await loadPageTexts<Texts>({
  en: () => import("#texts/en/connections"),
  de: () => import("#texts/de/connections"),
});
export const texts = { ...shared, ...own };
