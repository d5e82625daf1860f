import { loadPageTexts } from "../app/catalogues.ts";
import { texts as shared } from "../page-texts.ts";
import type { Texts } from "../texts/en/shadow.ts";

const own = await loadPageTexts<Texts>({ en: () => import("#texts/en/shadow"), de: () => import("#texts/de/shadow") });
export const texts = { ...shared, ...own };
