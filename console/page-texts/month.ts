import { loadPageTexts } from "../app/catalogues.ts";
import { texts as shared } from "../page-texts.ts";

const own = await loadPageTexts({ en: () => import("#texts/en/month"), de: () => import("#texts/de/month") });
export const texts = { ...shared, ...own };
