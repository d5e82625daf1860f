import { loadPageTexts } from "../app/catalogues.ts";
import { texts as shared } from "../page-texts.ts";

const own = await loadPageTexts({
  en: () => import("#texts/en/second-factor"),
  de: () => import("#texts/de/second-factor"),
});
export const texts = { ...shared, ...own };
