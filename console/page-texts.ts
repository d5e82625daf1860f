import { loadPages } from "./app/catalogues.ts";
import { texts as first } from "./texts.ts";

/**
 * What several pages say, in the reader's language. What is loaded before the inbox takes `texts.ts` instead, and a page
 * that says more than others takes the file of its address in `page-texts/`.
 */
export const texts = { ...first, ...(await loadPages()) };
