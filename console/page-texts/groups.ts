import { loadPageTexts } from "../app/catalogues.ts";
import { texts as shared } from "../page-texts.ts";
import type { Texts } from "../texts/en/groups.ts";

const own = await loadPageTexts<Texts>({ en: () => import("#texts/en/groups"), de: () => import("#texts/de/groups") });
export const texts = { ...shared, ...own };
