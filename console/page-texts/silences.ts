import { loadPageTexts } from "../app/catalogues.ts";
import { texts as shared } from "../page-texts.ts";

const own = await loadPageTexts({ en: () => import("#texts/en/silences"), de: () => import("#texts/de/silences") });
export const texts = { ...shared, ...own };
