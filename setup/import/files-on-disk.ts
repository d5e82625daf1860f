import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { CommandError } from "../command.ts";
import { chooseExportPaths, type ExportFile } from "./export-files.ts";

const listFiles = (path: string): string[] => {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) throw new CommandError(`There is no ${path}.`);
  if (!stat.isDirectory()) return [path];
  return readdirSync(path)
    .sort()
    .flatMap((name) => (name.startsWith(".") ? [] : listFiles(join(path, name))));
};

const STANDARD_INPUT = "-";

/** Reads the files of an export, including all files in folders; `-` is standard input. */
export const readExport = (paths: readonly string[], readText: (path: string) => string | undefined): ExportFile[] => {
  if (paths.includes(STANDARD_INPUT))
    return [
      { path: "standard input", text: readText(STANDARD_INPUT) ?? "" },
      ...readExport(
        paths.filter((path) => path !== STANDARD_INPUT),
        readText,
      ),
    ];
  if (paths.length === 0) return [];
  return chooseExportPaths(paths.flatMap(listFiles), paths).map((path) => ({ path, text: readFileSync(path, "utf8") }));
};
