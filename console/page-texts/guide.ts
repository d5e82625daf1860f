import { loadPageTexts } from "../app/catalogues.ts";
import { texts as shared } from "../page-texts.ts";

const own = await loadPageTexts({ en: () => import("#texts/en/guide"), de: () => import("#texts/de/guide") });
export const texts = { ...shared, ...own };
