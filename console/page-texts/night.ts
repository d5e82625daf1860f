import { loadPageTexts } from "../app/catalogues.ts";
import { texts as shared } from "../page-texts.ts";

const own = await loadPageTexts({ en: () => import("#texts/en/night"), de: () => import("#texts/de/night") });
export const texts = { ...shared, ...own };
