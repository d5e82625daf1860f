import { loadPageTexts } from "../app/catalogues.ts";
import { texts as shared } from "../page-texts.ts";

const own = await loadPageTexts({ en: () => import("#texts/en/shadow"), de: () => import("#texts/de/shadow") });
export const texts = { ...shared, ...own };
