import { loadPageTexts } from "../app/catalogues.ts";
import { texts as shared } from "../page-texts.ts";

const own = await loadPageTexts({ en: () => import("#texts/en/frame"), de: () => import("#texts/de/frame") });
export const texts = { ...shared, ...own };
