import { loadSharedTexts } from "./app/catalogues.ts";
import { texts as first } from "./texts.ts";

/** Code that is loaded earlier than the inbox imports `texts.ts` instead. A page with many texts has its own file in `page-texts/`. */
export const texts = { ...first, ...(await loadSharedTexts()) };
