import { loadPageTexts } from "../app/catalogues.ts";
import { texts as shared } from "../page-texts.ts";

const own = await loadPageTexts({ en: () => import("#texts/en/devices"), de: () => import("#texts/de/devices") });
export const texts = { ...shared, ...own };
