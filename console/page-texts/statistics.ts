import { inLanguage } from "../app/catalogues.ts";
import { texts as shared } from "../page-texts.ts";
import type { Texts } from "../texts/en/statistics.ts";

const own = await inLanguage<Texts>({
  en: () => import("#texts/en/statistics"),
  de: () => import("#texts/de/statistics"),
});
export const texts = { ...shared, ...own };
