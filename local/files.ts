import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import * as v from "valibot";

/** Writes atomically: a reader sees the whole file or no file. `secret`: whether only the owner can read the file. */
export const writeAtomically = (path: string, text: string, { secret = false }: { secret?: boolean } = {}): void => {
  mkdirSync(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, text, { mode: secret ? 0o600 : 0o644 });
  if (secret) chmodSync(draft, 0o600);
  renameSync(draft, path);
};

/** Reads a JSON file. Returns undefined if the file does not exist, or if another version of the service wrote the file. */
export const readJsonFile = <Shape>(path: string, schema: v.GenericSchema<unknown, Shape>): Shape | undefined => {
  if (!existsSync(path)) return undefined;
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), readFileSync(path, "utf8"));
  return parsed.success ? parsed.output : undefined;
};
