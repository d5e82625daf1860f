import { loadPageTexts } from "../app/catalogues.ts";
import { texts as shared } from "../page-texts.ts";

const own = await loadPageTexts({ en: () => import("#texts/en/audit"), de: () => import("#texts/de/audit") });
export const texts = { ...shared, ...own };
