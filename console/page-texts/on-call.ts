import { loadPageTexts } from "../app/catalogues.ts";
import { texts as shared } from "../page-texts.ts";
import type { Texts } from "../texts/en/on-call.ts";

const own = await loadPageTexts<Texts>({
  en: () => import("#texts/en/on-call"),
  de: () => import("#texts/de/on-call"),
});
export const texts = { ...shared, ...own };
