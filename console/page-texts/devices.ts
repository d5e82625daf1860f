import { loadPageTexts } from "../app/catalogues.ts";
import { texts as shared } from "../page-texts.ts";
import type { Texts } from "../texts/en/devices.ts";

const own = await loadPageTexts<Texts>({
  en: () => import("#texts/en/devices"),
  de: () => import("#texts/de/devices"),
});
export const texts = { ...shared, ...own };
