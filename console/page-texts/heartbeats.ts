import { loadPageTexts } from "../app/catalogues.ts";
import { texts as shared } from "../page-texts.ts";

const own = await loadPageTexts({ en: () => import("#texts/en/heartbeats"), de: () => import("#texts/de/heartbeats") });
export const texts = { ...shared, ...own };
