import { loadPageTexts } from "../app/catalogues.ts";
import { texts as shared } from "../page-texts.ts";
import type { Texts } from "../texts/en/silences.ts";

const own = await loadPageTexts<Texts>({
  en: () => import("#texts/en/silences"),
  de: () => import("#texts/de/silences"),
});
export const texts = { ...shared, ...own };
