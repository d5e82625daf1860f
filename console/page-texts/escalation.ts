import { loadPageTexts } from "../app/catalogues.ts";
import { texts as shared } from "../page-texts.ts";

const own = await loadPageTexts({ en: () => import("#texts/en/escalation"), de: () => import("#texts/de/escalation") });
export const texts = { ...shared, ...own };
