import { writeFileSync } from "node:fs";

const OWNER_ALONE = 0o600;

/** Writes a file that only its owner can read. */
export const writeSecret = (path: string, text: string): void => writeFileSync(path, text, { mode: OWNER_ALONE });
