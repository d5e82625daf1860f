import { loadPageTexts } from "../app/catalogues.ts";
import { texts as shared } from "../page-texts.ts";
import type { Texts } from "../texts/en/load.ts";

const own = await loadPageTexts<Texts>({ en: () => import("#texts/en/load"), de: () => import("#texts/de/load") });
export const texts = { ...shared, ...own };
