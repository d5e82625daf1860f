import { loadPageTexts } from "../app/catalogues.ts";
import { texts as shared } from "../page-texts.ts";

const own = await loadPageTexts({ en: () => import("#texts/en/covers"), de: () => import("#texts/de/covers") });
export const texts = { ...shared, ...own };
