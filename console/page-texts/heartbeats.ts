import { loadPageTexts } from "../app/catalogues.ts";
import { texts as shared } from "../page-texts.ts";
import type { Texts } from "../texts/en/heartbeats.ts";

const own = await loadPageTexts<Texts>({
  en: () => import("#texts/en/heartbeats"),
  de: () => import("#texts/de/heartbeats"),
});
export const texts = { ...shared, ...own };
