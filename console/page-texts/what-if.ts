import { loadPageTexts } from "../app/catalogues.ts";
import { texts as shared } from "../page-texts.ts";

const own = await loadPageTexts({ en: () => import("#texts/en/what-if"), de: () => import("#texts/de/what-if") });
export const texts = { ...shared, ...own };
