import { loadPages } from "./app/catalogues.ts";
import { texts as first } from "./texts.ts";

/** What every page says, in the reader's language. What is loaded before the inbox takes `texts.ts` instead. */
export const texts = { ...first, ...(await loadPages()) };
