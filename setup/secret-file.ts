import { writeFileSync } from "node:fs";

const OWNER_ALONE = 0o600;

/** Only the owner may read the file. */
export const writeSecret = (path: string, text: string): void => writeFileSync(path, text, { mode: OWNER_ALONE });
