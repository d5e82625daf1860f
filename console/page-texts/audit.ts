import { loadPageTexts } from "../app/catalogues.ts";
import { texts as shared } from "../page-texts.ts";
import type { Texts } from "../texts/en/audit.ts";

const own = await loadPageTexts<Texts>({ en: () => import("#texts/en/audit"), de: () => import("#texts/de/audit") });
export const texts = { ...shared, ...own };
