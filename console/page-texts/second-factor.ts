import { loadPageTexts } from "../app/catalogues.ts";
import { texts as shared } from "../page-texts.ts";
import type { Texts } from "../texts/en/second-factor.ts";

const own = await loadPageTexts<Texts>({
  en: () => import("#texts/en/second-factor"),
  de: () => import("#texts/de/second-factor"),
});
export const texts = { ...shared, ...own };
