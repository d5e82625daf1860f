import { loadPageTexts } from "../app/catalogues.ts";
import { texts as shared } from "../page-texts.ts";

const own = await loadPageTexts({ en: () => import("#texts/en/webhooks"), de: () => import("#texts/de/webhooks") });
export const texts = { ...shared, ...own };
