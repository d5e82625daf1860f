import { loadPageTexts } from "../app/catalogues.ts";
import { texts as shared } from "../page-texts.ts";

const own = await loadPageTexts({ en: () => import("#texts/en/insights"), de: () => import("#texts/de/insights") });
export const texts = { ...shared, ...own };
