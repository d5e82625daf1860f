import { loadPageTexts } from "../app/catalogues.ts";
import { texts as shared } from "../page-texts.ts";
import type { Texts } from "../texts/en/integrations.ts";

const own = await loadPageTexts<Texts>({
  en: () => import("#texts/en/integrations"),
  de: () => import("#texts/de/integrations"),
});
export const texts = { ...shared, ...own };
