import { loadPageTexts } from "../app/catalogues.ts";
import { texts as shared } from "../page-texts.ts";

const own = await loadPageTexts({ en: () => import("#texts/en/calendar"), de: () => import("#texts/de/calendar") });
export const texts = { ...shared, ...own };
