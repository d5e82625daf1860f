import { loadPageTexts } from "../app/catalogues.ts";
import { texts as shared } from "../page-texts.ts";

const own = await loadPageTexts({ en: () => import("#texts/en/import"), de: () => import("#texts/de/import") });
export const texts = { ...shared, ...own };
