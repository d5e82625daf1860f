import { loadPageTexts } from "../app/catalogues.ts";
import { texts as shared } from "../page-texts.ts";
import type { Texts } from "../texts/en/night.ts";

const own = await loadPageTexts<Texts>({ en: () => import("#texts/en/night"), de: () => import("#texts/de/night") });
export const texts = { ...shared, ...own };
