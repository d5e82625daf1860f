import { loadPageTexts } from "../app/catalogues.ts";
import { texts as shared } from "../page-texts.ts";
import type { Texts } from "../texts/en/people.ts";

const own = await loadPageTexts<Texts>({ en: () => import("#texts/en/people"), de: () => import("#texts/de/people") });
export const texts = { ...shared, ...own };
