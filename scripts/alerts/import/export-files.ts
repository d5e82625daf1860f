import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, extname, join } from "node:path";
import * as v from "valibot";
import { check } from "../../../functions/http/faults.ts";
import { CommandError } from "../command.ts";

/** One thing of an export: what it is, where it stands, and what is written there. `folders`: those that it lies in. */
export type Part = { kind: string; at: string; folders: readonly string[]; value: unknown };

/** A file of an export as it is read. */
export type ExportFile = { path: string; text: string };

const EXTENSIONS = [".json", ".ics"];

const filesIn = (path: string): string[] => {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) throw new CommandError(`There is no ${path}.`);
  if (!stat.isDirectory()) return [path];
  return readdirSync(path)
    .sort()
    .flatMap((name) => (name.startsWith(".") ? [] : filesIn(join(path, name))));
};

/** Reads what is named: files, and all files of folders. */
export const readExport = (paths: readonly string[]): ExportFile[] => {
  const files = paths.flatMap(filesIn);
  const zip = files.find((path) => extname(path) === ".zip");
  if (zip !== undefined) throw new CommandError(`${zip} is packed: unpack it, and name the folder.`);
  const known = files.filter((path) => EXTENSIONS.includes(extname(path)));
  if (known.length === 0) throw new CommandError(`There is no .json file in ${paths.join(", ")}.`);
  return known.map((path) => ({ path, text: readFileSync(path, "utf8") }));
};

const parse = ({ path, text }: ExportFile): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CommandError(`${path} is not JSON: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
};

const Fields = v.record(v.string(), v.unknown());

const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value]);

/**
 * The things in the files. An object tells by its fields what it holds, such as `{"users": [...]}`; a bare list, and the
 * `results` or `data` of one, is of the kind that the file or a folder of it is named for (`users.json`, `users-2.json`).
 * `kinds`: of each kind, the names by which it is known. `unknown` gets the files in which nothing is known.
 */
export const partsOf = (
  files: readonly ExportFile[],
  kinds: Readonly<Record<string, readonly string[]>>,
): { parts: Part[]; unknown: string[] } => {
  const kindOf = (name: string) => Object.keys(kinds).find((kind) => kinds[kind]?.includes(name));
  const unknown: string[] = [];
  const parts = files
    .filter(({ path }) => extname(path) === ".json")
    .flatMap((file): Part[] => {
      const { path } = file;
      const value = parse(file);
      const folders = path.split(/[/\\]/).slice(0, -1).reverse();
      const list = (kind: string, at: string, items: unknown): Part[] =>
        asList(items).map((item, index) => ({
          kind,
          at: Array.isArray(items) ? `${path}: ${at}[${index}]` : `${path}: ${at}`,
          folders,
          value: item,
        }));
      const fields = Array.isArray(value) ? undefined : v.safeParse(Fields, value);
      const byField =
        fields?.success === true
          ? Object.entries(fields.output).flatMap(([name, items]) => {
              const kind = kindOf(name);
              return kind === undefined || typeof items !== "object" || items === null ? [] : list(kind, name, items);
            })
          : [];
      const stem = basename(path, ".json").replace(/[-_. ]?\d+$/, "");
      const named = [stem, ...folders].map(kindOf).find((kind) => kind !== undefined);
      const content = fields?.success === true ? (fields.output["results"] ?? fields.output["data"] ?? value) : value;
      // What lies in a folder named for its kind may itself hold fields of that name, such as a team its members.
      if (named !== undefined && (byField.length === 0 || kindOf(stem) === undefined))
        return list(named, "", content).map((part) => ({ ...part, at: part.at.replace(/: $/, "") }));
      if (byField.length === 0) unknown.push(path);
      return byField;
    });
  return { parts, unknown };
};

/** Of the things of a kind, what a schema reads. Throws with every fault of all of them. */
export const readKind = <Output>(
  parts: readonly Part[],
  kind: string,
  schema: v.GenericSchema<unknown, Output>,
): { value: Output; part: Part }[] => {
  const faults: string[] = [];
  const values = parts
    .filter((part) => part.kind === kind)
    .flatMap((part) => {
      const { value, faults: found } = check(schema, part.value);
      faults.push(...found.map(({ field, message }) => `${part.at}: ${field === "" ? "" : `${field}: `}${message}`));
      return value === undefined ? [] : [{ value, part }];
    });
  if (faults.length > 0) throw new CommandError(`The export cannot be read.\n${faults.join("\n")}`);
  return values;
};

/** Gives the things of a kind, as a schema reads them. */
export type Reader<Kind extends string> = <Output>(kind: Kind, schema: v.GenericSchema<unknown, Output>) => Output[];

/** Reads among the things that were found. */
export const readerOf =
  (parts: readonly Part[]): Reader<string> =>
  (kind, schema) =>
    readKind(parts, kind, schema).map(({ value }) => value);
