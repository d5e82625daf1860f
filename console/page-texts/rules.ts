import { loadPageTexts } from "../app/catalogues.ts";
import { texts as shared } from "../page-texts.ts";
import type { Texts } from "../texts/en/rules.ts";

const own = await loadPageTexts<Texts>({ en: () => import("#texts/en/rules"), de: () => import("#texts/de/rules") });
export const texts = { ...shared, ...own };
