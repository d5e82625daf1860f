import { writeFileSync } from "node:fs";

const OWNER_ALONE = 0o600;

/** Readable only by the owner. */
export const writeSecret = (path: string, text: string): void => writeFileSync(path, text, { mode: OWNER_ALONE });
