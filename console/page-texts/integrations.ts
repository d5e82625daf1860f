import { loadPageTexts } from "../app/catalogues.ts";
import { texts as shared } from "../page-texts.ts";

const own = await loadPageTexts({
  en: () => import("#texts/en/integrations"),
  de: () => import("#texts/de/integrations"),
});
export const texts = { ...shared, ...own };
