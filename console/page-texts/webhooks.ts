import { loadPageTexts } from "../app/catalogues.ts";
import { texts as shared } from "../page-texts.ts";
import type { Texts } from "../texts/en/webhooks.ts";

const own = await loadPageTexts<Texts>({
  en: () => import("#texts/en/webhooks"),
  de: () => import("#texts/de/webhooks"),
});
export const texts = { ...shared, ...own };
