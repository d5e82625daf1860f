import { loadPageTexts } from "../app/catalogues.ts";
import { texts as shared } from "../page-texts.ts";

const own = await loadPageTexts({ en: () => import("#texts/en/rules"), de: () => import("#texts/de/rules") });
export const texts = { ...shared, ...own };
