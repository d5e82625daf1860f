import { loadPageTexts } from "../app/catalogues.ts";
import { texts as shared } from "../page-texts.ts";
import type { Texts } from "../texts/en/events.ts";

const own = await loadPageTexts<Texts>({ en: () => import("#texts/en/events"), de: () => import("#texts/de/events") });
export const texts = { ...shared, ...own };
