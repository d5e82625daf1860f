import { isMap, isScalar, isSeq, LineCounter, parseDocument, visit, type Document, type Node } from "yaml";
import { parseWithPaths, formatPath } from "../core/domain/basics/faults.ts";
import { AlertsFile, SECTIONS } from "./file.ts";
import { listRawEntries, findReferenceFaults } from "./references.ts";

/** Lines and columns count from 1. */
export type FileFault = { file: string; line: number; column: number; path: string; message: string };

type Path = readonly (string | number)[];
/** `key`: whether the fault is in a field's name instead of its value. */
type LocatedField = { path: Path; key?: boolean };
type Position = { line: number; column: number };

/** A file with a setup or a part of a setup. */
export type SourceFile = { path: string; text: string };

/** A valid setup, or the faults of its files, sorted by file and line. */
export type ReadFile =
  | { file: AlertsFile; faults: []; locate: (at: LocatedField) => Position & { file: string } }
  | { file: undefined; faults: FileFault[] };

/** The maximum number of aliases, so that a malicious file cannot exhaust memory. */
const ALIASES_MAX = 1_000;

/** Returns the offset of a value in the text. For a missing value, returns the offset of its object or list. */
const findOffset = (document: Document, { path, key = false }: LocatedField): number => {
  let node: unknown = document.contents;
  let offset = 0;
  const enterNode = (child: unknown) => {
    node = child;
    offset = findStart(child) ?? offset;
  };
  enterNode(node);
  for (const [depth, part] of path.entries()) {
    if (isMap(node)) {
      const pair = node.items.find((one) => isScalar(one.key) && String(one.key.value) === String(part));
      if (pair === undefined) return offset;
      offset = findStart(pair.key) ?? offset;
      if (key && depth === path.length - 1) return offset;
      enterNode(pair.value);
    } else if (isSeq(node) && typeof part === "number") enterNode(node.items[part]);
    else return offset;
  }
  return offset;
};

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && "range" in value;

/** Returns where a value's text starts; undefined for a value without text, such as null for `rules:`. */
const findStart = (value: unknown): number | undefined => {
  if (!isNode(value) || value.range === null || value.range === undefined) return undefined;
  const [from, to] = value.range;
  return to > from ? from : undefined;
};

const comparePositions = (one: Position, other: Position): number => one.line - other.line || one.column - other.column;

/** Matches messages that quote the file. The quotation is removed, because a file that is read by mistake may contain secrets. */
const QUOTING =
  /^(Unresolved tag|Block scalar header includes extra characters|Invalid escape sequence|Unsupported YAML version).*$/s;

/** Adds a hint about quotes, because an unquoted `*` begins an alias in YAML. */
const addAliasHint = (yamlMessage: string): string => {
  const message = yamlMessage.replace(QUOTING, "$1");
  return /alias/i.test(message) ? `${message}: write "*" in quotes, if every event key is meant.` : message;
};

/** Parses YAML, and returns its faults. `locate`: finds the line and column of a path. */
export const parseYaml = (text: string) => {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const toPlace = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  const locate = (located: LocatedField): Position => toPlace(findOffset(document, located));
  const faults = document.errors.map(({ pos, message }) => ({
    ...toPlace(pos[0]),
    path: "",
    message: addAliasHint(message),
  }));
  const aliases = findInvalidAliases(document).map(({ offset, message }) => ({
    ...toPlace(offset),
    path: "",
    message,
  }));
  return { document, locate, faults: [...faults, ...aliases] };
};

/** Finds aliases inside their own anchor, whose value would be infinite. The parser's own message would quote the alias. */
const findInvalidAliases = (document: Document): { offset: number; message: string }[] => {
  const found: { offset: number; message: string }[] = [];
  visit(document, {
    Alias: (_, alias, path) => {
      const meant = alias.resolve(document);
      const offset = findStart(alias) ?? 0;
      if (meant === undefined) found.push({ offset, message: addAliasHint("Unresolved alias") });
      else if (path.includes(meant))
        found.push({ offset, message: "The value refers to itself: an alias is used inside its own anchor." });
    },
  });
  return found;
};

const NO_LIST = `The file is a list; it must be an object of sections: ${SECTIONS.join(", ")}.`;

/** Reads files that form one setup. Checks the structure of the files, and that every name in the files refers to an entry. */
export const readAlertsFiles = (sources: readonly SourceFile[]): ReadFile => {
  const parsed = sources.map(({ path, text }) => ({ file: path, ...parseYaml(text) }));
  const broken = parsed.flatMap(({ file, faults }) => faults.map((fault) => ({ file, ...fault })));
  if (broken.length > 0) return { file: undefined, faults: broken };
  const read = parsed.map(({ file, document, locate }) => {
    const raw: unknown = document.toJS({ maxAliasCount: ALIASES_MAX }) ?? {};
    const shape = Array.isArray(raw)
      ? { value: undefined, faults: [{ path: [], code: "", message: NO_LIST }] }
      : parseWithPaths(AlertsFile, raw);
    return { file, locate, raw, ...shape };
  });
  /** Returns the file that has an entry, and the entry's path in that file; undefined if no file has the entry. */
  const findFile = ([section, index, ...rest]: Path): { one: (typeof read)[number]; path: Path } | undefined => {
    let left = Number(index);
    for (const one of read) {
      const { length } = listRawEntries(one.raw, String(section));
      if (left < length) return { one, path: [section ?? "", left, ...rest] };
      left -= length;
    }
    return undefined;
  };
  const describeEntry = (section: string, index: number): string => {
    const found = findFile([section, index]);
    return found === undefined || read.length === 1
      ? `${section}[${index}]`
      : `${formatPath(found.path)} of ${found.one.file}`;
  };
  const whole = Object.fromEntries(
    SECTIONS.map((section) => [section, read.flatMap(({ raw }) => listRawEntries(raw, section))]),
  );
  const located = [
    ...read.flatMap((one) =>
      one.faults.map(({ path, code, message }) => ({ one, path, message, key: code === "unknown_field" })),
    ),
    ...findReferenceFaults(whole, describeEntry).flatMap((fault) => {
      const place = findFile(fault.path);
      return place === undefined ? [] : [{ ...fault, ...place }];
    }),
  ];
  const faults = read.flatMap((one) =>
    located
      .filter((fault) => fault.one === one)
      .map(({ path, key, message }): FileFault => ({
        file: one.file,
        ...one.locate({ path, ...(key === undefined ? {} : { key }) }),
        path: formatPath(path),
        message,
      }))
      .sort(comparePositions),
  );
  const values = read.flatMap(({ value }) => value ?? []);
  if (faults.length > 0 || values.length < read.length) return { file: undefined, faults };
  const locate = (located: LocatedField) => {
    const { one, path } = findFile(located.path) ?? { one: read[0], path: located.path };
    return { file: one?.file ?? "", ...(one?.locate({ ...located, path }) ?? { line: 1, column: 1 }) };
  };
  return { file: joinFiles(values), faults: [], locate };
};

const joinFiles = (files: readonly AlertsFile[]): AlertsFile => ({
  people: files.flatMap(({ people }) => people),
  groups: files.flatMap(({ groups }) => groups),
  schedules: files.flatMap(({ schedules }) => schedules),
  policies: files.flatMap(({ policies }) => policies),
  floors: files.flatMap(({ floors }) => floors),
  pay: files.flatMap(({ pay }) => pay),
  rules: files.flatMap(({ rules }) => rules),
  keys: files.flatMap(({ keys }) => keys),
  silences: files.flatMap(({ silences }) => silences),
  webhooks: files.flatMap(({ webhooks }) => webhooks),
  connections: files.flatMap(({ connections }) => connections),
  contracts: files.flatMap(({ contracts }) => contracts),
});

export const readAlertsFile = (text: string, path = ""): ReadFile => readAlertsFiles([{ path, text }]);

/** Returns a line that editors and CI turn into a link: `set-up.yaml:12:7: rules[3].policy: ...`. */
export const formatFault = ({ file, line, column, path, message }: FileFault): string =>
  `${file}:${line}:${column}: ${path === "" || message.startsWith(path) ? message : `${path}: ${message}`}`;
