import { loadPageTexts } from "../app/catalogues.ts";
import { texts as shared } from "../page-texts.ts";
import type { Texts } from "../texts/en/frame.ts";

const own = await loadPageTexts<Texts>({ en: () => import("#texts/en/frame"), de: () => import("#texts/de/frame") });
export const texts = { ...shared, ...own };
