import { isMap, isScalar, isSeq, LineCounter, parseDocument, visit, type Document, type Node } from "yaml";
import { checkPlaces, fieldAt } from "../core/domain/basics/faults.ts";
import { AlertsFile, SECTIONS } from "./file.ts";
import { referenceFaults } from "./references.ts";

/** A fault of a file: its line and column (from 1), its path, and what would be right. */
export type FileFault = { line: number; column: number; path: string; message: string };

type Path = readonly (string | number)[];
/** `key`: the fault is about the name of a field, not about its value. */
type Located = { path: Path; key?: boolean };
type Locate = (at: Located) => { line: number; column: number };

/** A file that was read, or all its faults in the order of its lines. `locate`: finds the line and column of a path in it. */
export type ReadFile = { file: AlertsFile; faults: []; locate: Locate } | { file: undefined; faults: FileFault[] };

/** How often aliases may repeat values. A file with more was made to exhaust its reader. */
const ALIASES_MAX = 1_000;

/** The offset of a path in the text; for something missing, where it belongs. */
const offsetOf = (document: Document, { path, key = false }: Located): number => {
  let node: unknown = document.contents;
  let offset = 0;
  const enter = (next: unknown) => {
    node = next;
    offset = rangeOf(next) ?? offset;
  };
  enter(node);
  for (const [depth, part] of path.entries()) {
    if (isMap(node)) {
      const pair = node.items.find((one) => isScalar(one.key) && String(one.key.value) === String(part));
      if (pair === undefined) return offset;
      offset = rangeOf(pair.key) ?? offset;
      if (key && depth === path.length - 1) return offset;
      enter(pair.value);
    } else if (isSeq(node) && typeof part === "number") enter(node.items[part]);
    else return offset;
  }
  return offset;
};

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && "range" in value;

/** Where a value is in the text; undefined for one that is not written, such as the null of `rules:`. */
const rangeOf = (value: unknown): number | undefined => {
  if (!isNode(value) || value.range === null || value.range === undefined) return undefined;
  const [from, to] = value.range;
  return to > from ? from : undefined;
};

const byPosition = (one: FileFault, other: FileFault): number => one.line - other.line || one.column - other.column;

/** What the parser says and then quotes: the file may not be the one that was meant. */
const QUOTING =
  /^(Unresolved tag|Block scalar header includes extra characters|Invalid escape sequence|Unsupported YAML version).*$/s;

/** The most common mistake: in YAML, a bare `*` begins an alias. */
const hintOf = (said: string): string => {
  const message = said.replace(QUOTING, "$1");
  return /alias/i.test(message) ? `${message}: write "*" in quotes, if every event key is meant.` : message;
};

/** Parses the text of a file; `locate` finds the line and column of a path in it. */
export const parseText = (text: string) => {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  const locate: Locate = (located) => at(offsetOf(document, located));
  const faults = document.errors.map(({ pos, message }): FileFault => ({
    ...at(pos[0]),
    path: "",
    message: hintOf(message),
  }));
  const aliases = badAliases(document).map(({ offset, message }): FileFault => ({ ...at(offset), path: "", message }));
  return { document, locate, faults: [...faults, ...aliases] };
};

/**
 * Aliases that lead nowhere: to no anchor, or to what they are inside of, which is a value without an end. The parser
 * says so only when the value is read, and quotes it.
 */
const badAliases = (document: Document): { offset: number; message: string }[] => {
  const found: { offset: number; message: string }[] = [];
  visit(document, {
    Alias: (_, alias, path) => {
      const meant = alias.resolve(document);
      const offset = rangeOf(alias) ?? 0;
      if (meant === undefined) found.push({ offset, message: hintOf("Unresolved alias") });
      else if (path.includes(meant))
        found.push({ offset, message: "The value refers to itself: an alias stands inside of what it stands for." });
    },
  });
  return found;
};

const NO_LIST = `The file is a list; it must be an object of sections: ${SECTIONS.join(", ")}.`;

/** Reads the text of a file, and checks its shape and that everything it names exists. */
export const readAlertsFile = (text: string): ReadFile => {
  const { document, locate, faults: broken } = parseText(text);
  if (broken.length > 0) return { file: undefined, faults: broken };
  const toJs = (): unknown => document.toJS({ maxAliasCount: ALIASES_MAX }) ?? {};
  if (Array.isArray(toJs()))
    return { file: undefined, faults: [{ ...locate({ path: [] }), path: "", message: NO_LIST }] };
  const checked = checkPlaces(AlertsFile, toJs());
  const shape = checked.faults.map(({ path, code, message }) => ({ path, message, key: code === "unknown_field" }));
  const references = referenceFaults(toJs());
  const faults = [...shape, ...references]
    .map((fault): FileFault => ({ ...locate(fault), path: fieldAt(fault.path), message: fault.message }))
    .sort(byPosition);
  return checked.value === undefined || faults.length > 0
    ? { file: undefined, faults }
    : { file: checked.value, faults: [], locate };
};

/** `set-up.yaml:12:7: rules[3].policy: ...`, which editors and CI turn into links. */
export const faultLine = (file: string, { line, column, path, message }: FileFault): string =>
  `${file}:${line}:${column}: ${path === "" || message.startsWith(path) ? message : `${path}: ${message}`}`;
