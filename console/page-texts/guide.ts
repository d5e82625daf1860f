import { loadPageTexts } from "../app/catalogues.ts";
import { texts as shared } from "../page-texts.ts";
import type { Texts } from "../texts/en/guide.ts";

const own = await loadPageTexts<Texts>({ en: () => import("#texts/en/guide"), de: () => import("#texts/de/guide") });
export const texts = { ...shared, ...own };
