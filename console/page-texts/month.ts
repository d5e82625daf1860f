import { loadPageTexts } from "../app/catalogues.ts";
import { texts as shared } from "../page-texts.ts";
import type { Texts } from "../texts/en/month.ts";

const own = await loadPageTexts<Texts>({ en: () => import("#texts/en/month"), de: () => import("#texts/de/month") });
export const texts = { ...shared, ...own };
