import { inLanguage } from "../app/catalogues.ts";
import { texts as shared } from "../page-texts.ts";
import type { Texts } from "../texts/en/sources.ts";

const own = await inLanguage<Texts>({ en: () => import("#texts/en/sources"), de: () => import("#texts/de/sources") });
export const texts = { ...shared, ...own };
