import { loadPageTexts } from "../app/catalogues.ts";
import { texts as shared } from "../page-texts.ts";
import type { Texts } from "../texts/en/covers.ts";

const own = await loadPageTexts<Texts>({ en: () => import("#texts/en/covers"), de: () => import("#texts/de/covers") });
export const texts = { ...shared, ...own };
