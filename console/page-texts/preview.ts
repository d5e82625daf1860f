import { loadPageTexts } from "../app/catalogues.ts";
import { texts as shared } from "../page-texts.ts";

const own = await loadPageTexts({ en: () => import("#texts/en/preview"), de: () => import("#texts/de/preview") });
export const texts = { ...shared, ...own };
