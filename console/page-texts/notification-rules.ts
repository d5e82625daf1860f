import { loadPageTexts } from "../app/catalogues.ts";
import { texts as shared } from "../page-texts.ts";
import type { Texts } from "../texts/en/notification-rules.ts";

const own = await loadPageTexts<Texts>({
  en: () => import("#texts/en/notification-rules"),
  de: () => import("#texts/de/notification-rules"),
});
export const texts = { ...shared, ...own };
