import { loadPageTexts } from "../app/catalogues.ts";
import { texts as shared } from "../page-texts.ts";

const own = await loadPageTexts({
  en: () => import("#texts/en/connections"),
  de: () => import("#texts/de/connections"),
});
export const texts = { ...shared, ...own };
