import { loadPageTexts } from "../app/catalogues.ts";
import { texts as shared } from "../page-texts.ts";
import type { Texts } from "../texts/en/preview.ts";

const own = await loadPageTexts<Texts>({
  en: () => import("#texts/en/preview"),
  de: () => import("#texts/de/preview"),
});
export const texts = { ...shared, ...own };
