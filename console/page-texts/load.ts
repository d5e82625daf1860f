import { loadPageTexts } from "../app/catalogues.ts";
import { texts as shared } from "../page-texts.ts";

const own = await loadPageTexts({ en: () => import("#texts/en/load"), de: () => import("#texts/de/load") });
export const texts = { ...shared, ...own };
