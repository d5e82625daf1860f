import { loadPageTexts } from "../app/catalogues.ts";
import { texts as shared } from "../page-texts.ts";

const own = await loadPageTexts({ en: () => import("#texts/en/groups"), de: () => import("#texts/de/groups") });
export const texts = { ...shared, ...own };
