import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

const hasContents = (path: string, contents: Uint8Array): boolean =>
  existsSync(path) && Buffer.compare(readFileSync(path), contents) === 0;

/** Writes a file, unless the content is unchanged. Replaces the file atomically, because another process may be reading it. */
export const replaceFile = (path: string, contents: Uint8Array): void => {
  if (hasContents(path, contents)) return;
  mkdirSync(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, contents);
  renameSync(draft, path);
};
