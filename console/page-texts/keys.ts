import { loadPageTexts } from "../app/catalogues.ts";
import { texts as shared } from "../page-texts.ts";

const own = await loadPageTexts({ en: () => import("#texts/en/keys"), de: () => import("#texts/de/keys") });
export const texts = { ...shared, ...own };
