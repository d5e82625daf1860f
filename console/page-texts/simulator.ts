import { loadPageTexts } from "../app/catalogues.ts";
import { texts as shared } from "../page-texts.ts";

const own = await loadPageTexts({ en: () => import("#texts/en/simulator"), de: () => import("#texts/de/simulator") });
export const texts = { ...shared, ...own };
