import { loadPageTexts } from "../app/catalogues.ts";
import { texts as shared } from "../page-texts.ts";

const own = await loadPageTexts({ en: () => import("#texts/en/people"), de: () => import("#texts/de/people") });
export const texts = { ...shared, ...own };
