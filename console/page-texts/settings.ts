import { loadPageTexts } from "../app/catalogues.ts";
import { texts as shared } from "../page-texts.ts";

const own = await loadPageTexts({ en: () => import("#texts/en/settings"), de: () => import("#texts/de/settings") });
export const texts = { ...shared, ...own };
