import { loadPageTexts } from "../app/catalogues.ts";
import { texts as shared } from "../page-texts.ts";
import type { Texts } from "../texts/en/escalation.ts";

const own = await loadPageTexts<Texts>({
  en: () => import("#texts/en/escalation"),
  de: () => import("#texts/de/escalation"),
});
export const texts = { ...shared, ...own };
