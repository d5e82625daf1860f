import { writeFileSync } from "node:fs";

const OWNER_ALONE = 0o600;

/** Only the owner can read the file. */
export const writeSecret = (path: string, text: string): void => writeFileSync(path, text, { mode: OWNER_ALONE });
