import { loadPageTexts } from "../app/catalogues.ts";
import { texts as shared } from "../page-texts.ts";
import type { Texts } from "../texts/en/keys.ts";

const own = await loadPageTexts<Texts>({ en: () => import("#texts/en/keys"), de: () => import("#texts/de/keys") });
export const texts = { ...shared, ...own };
