import * as v from "valibot";
import { parseInput } from "../../core/domain/basics/faults.ts";
import { CommandError } from "../command.ts";
import type { Draft } from "./draft.ts";
import { listMissingPages, type Page } from "./pages.ts";

/** An item of an export, with its path in its file (`at`) and the folders of the file (`folders`). */
export type ExportPart = { kind: string; file: string; at: string; folders: readonly string[]; value: unknown };

/** The names of files and fields with past alerts, by service and kind. Only a replay reads past alerts. */
export const RECORDS = {
  opsgenie: { alerts: ["alerts"], logs: ["logs"], recipients: ["recipients"] },
  pagerduty: { incidents: ["incidents"], alerts: ["alerts"], "log entries": ["log_entries"] },
  oncall: { "alert groups": ["alert_groups"], alerts: ["alerts"], logs: ["logs"] },
} as const;

export type ExportFile = { path: string; text: string };

/** The extension of calendars, which only some importers read. */
const CALENDAR = ".ics";
const EXTENSIONS = [".json", CALENDAR];

const splitPath = (path: string): string[] => path.split(/[/\\]/);

/** Returns the file's name without folders and extension. */
export const toFileStem = (path: string, extension: string): string => {
  const name = splitPath(path).at(-1) ?? "";
  return name.endsWith(extension) ? name.slice(0, -extension.length) : name;
};

/** Returns the paths that an importer reads. Throws without such paths, or for a ZIP file. `chosen`: what the user chose. */
export const chooseExportPaths = (paths: readonly string[], chosen = paths): string[] => {
  const zip = paths.find((path) => path.endsWith(".zip"));
  if (zip !== undefined) throw new CommandError(`${zip} is packed: unpack it, and name the folder.`);
  const known = paths.filter((path) => EXTENSIONS.some((extension) => path.endsWith(extension)));
  if (known.length === 0) throw new CommandError(`There is no .json file in ${chosen.join(", ")}.`);
  return known;
};

/** Returns a list with the file's JSON; an empty list if the file is not JSON, such as after a failed request. */
const parseFile = ({ text }: ExportFile): unknown[] => {
  try {
    return [JSON.parse(text)];
  } catch {
    return [];
  }
};

const Fields = v.record(v.string(), v.unknown());

const toList = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value]);

/**
 * Returns the items in the files. Adds remarks about incomplete lists and, if `expected` names the expected files, about files
 * without known items. `kinds`: see `splitIntoItems`.
 */
export const readAllItems = (
  draft: Draft,
  expected: string | undefined,
  files: readonly ExportFile[],
  kinds: Readonly<Record<string, readonly string[]>>,
): ExportPart[] => {
  const { parts, broken, unknown, missingPages } = splitIntoItems(files, kinds);
  for (const path of broken) draft.missing(path, "The file is not JSON: fetch it again.");
  if (expected !== undefined)
    for (const path of unknown) draft.left(path, `The file contains nothing that the import of ${expected} reads.`);
  for (const { path, why } of missingPages) draft.missing(path, why);
  return parts;
};

/**
 * Splits files into items. A field's name decides the kind of its items (`{"users": [...]}`), or else the name of the file or
 * folder (`users-2.json`). `kinds`: the names by kind. `broken`: files that are not JSON; `unknown`: files without known items.
 */
const splitIntoItems = (
  files: readonly ExportFile[],
  kinds: Readonly<Record<string, readonly string[]>>,
): { parts: ExportPart[]; broken: string[]; unknown: string[]; missingPages: { path: string; why: string }[] } => {
  const findKind = (name: string) => Object.keys(kinds).find((kind) => kinds[kind]?.includes(name));
  const broken: string[] = [];
  const unknown: string[] = [];
  const pages: Page[] = [];
  const listPartsIn = ({ path }: ExportFile, value: unknown): ExportPart[] => {
    const folders = splitPath(path).slice(0, -1).reverse();
    const toParts = (kind: string, location: string, items: unknown): ExportPart[] =>
      toList(items).map((item, index) => ({
        kind,
        file: path,
        at: Array.isArray(items) ? `${path}: ${location}[${index}]` : `${path}: ${location}`,
        folders,
        value: item,
      }));
    const fields = Array.isArray(value) ? undefined : v.safeParse(Fields, value);
    const byField =
      fields?.success === true
        ? Object.entries(fields.output).flatMap(([name, items]) => {
            const kind = findKind(name);
            return kind === undefined || typeof items !== "object" || items === null ? [] : toParts(kind, name, items);
          })
        : [];
    const stem = toFileStem(path, ".json").replace(/[-_. ]?\d+$/, "");
    const named = [stem, ...folders].map(findKind).find((kind) => kind !== undefined);
    const content = fields?.success === true ? (fields.output["results"] ?? fields.output["data"] ?? value) : value;
    // The folder's name decides the kind before a field's name, because an item's field may be named like another kind.
    if (named !== undefined && (byField.length === 0 || findKind(stem) === undefined))
      return toParts(named, "", content).map((part) => ({ ...part, at: part.at.replace(/: $/, "") }));
    if (byField.length === 0) unknown.push(path);
    return byField;
  };
  const parts = files
    // Standard input is read as JSON, because it has no file extension.
    .filter(({ path }) => !path.endsWith(CALENDAR))
    .flatMap((file) => {
      const [value] = parseFile(file);
      if (value === undefined) {
        broken.push(file.path);
        return [];
      }
      const found = listPartsIn(file, value);
      const [first] = found;
      if (first !== undefined) pages.push({ kind: first.kind, path: file.path, value, items: found.length });
      return found;
    });
  return { parts, broken, unknown, missingPages: listMissingPages(pages) };
};

/** The kinds of items that are parts of other items; the report does not count the parts. */
const PARTS: readonly string[] = ["shifts", "steps", "own rules", "oncalls"];

/** Returns the items of one kind. Reports and leaves out items that cannot be parsed. */
export const readItems = <Output>(
  draft: Draft,
  parts: readonly ExportPart[],
  kind: string,
  schema: v.GenericSchema<unknown, Output>,
): { value: Output; part: ExportPart }[] =>
  parts
    .filter((part) => part.kind === kind)
    .flatMap((part) => {
      const { value, faults } = parseInput(schema, part.value);
      if (value !== undefined) return [{ value, part }];
      const why = faults.map(({ field, message }) => (field === "" ? message : `${field}: ${message}`));
      draft.left(
        PARTS.includes(kind) ? part.at : draft.count(kind, part.at),
        `This part cannot be read: ${why.join(" ")}`,
      );
      return [];
    });

export type ReadParts<Kind extends string> = <Output>(kind: Kind, schema: v.GenericSchema<unknown, Output>) => Output[];

/** Returns a function that reads the values of all items of a kind, and reports items that cannot be parsed. */
export const createReader =
  (draft: Draft, parts: readonly ExportPart[]): ReadParts<string> =>
  (kind, schema) =>
    readItems(draft, parts, kind, schema).map(({ value }) => value);
