import { readdirSync } from "node:fs";
import { join } from "node:path";

const toFolder = (language: string): string => join(import.meta.dirname, "../../console/texts", language);

/** Returns the texts of a language, by the file that contains them. */
export const readCatalogue = async (language: string): Promise<Record<string, object>> => {
  const files = readdirSync(toFolder(language));
  const loaded = await Promise.all(
    files.map(async (file) => [file, { ...((await import(join(toFolder(language), file))) as object) }] as const),
  );
  return Object.fromEntries(loaded);
};
