import { isMap, isScalar, isSeq, parseDocument, type Document, type Node, type YAMLMap, type YAMLSeq } from "yaml";
import { listDifferences, readName } from "./plan.ts";
import type { AlertsFile } from "./file.ts";
import { formatShortLists, toFileEntry, type SetUp, type SetUpSection, setUpSections, yamlStyle } from "./write.ts";

/* Writes a setup into the text of a file. Unchanged parts keep their text, comments, order and spelling. */

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Compares two values, ignoring the case of email addresses. */
const isSameScalar = (current: unknown, value: unknown): boolean =>
  current === value ||
  (typeof current === "string" &&
    typeof value === "string" &&
    current.includes("@") &&
    current.toLowerCase() === value.toLowerCase());

const createNode = (document: Document, value: unknown): Node => {
  const node = document.createNode(value, { aliasDuplicateObjects: false });
  formatShortLists(node);
  return node;
};

/** Writes values into a list. Keeps the nodes of equal values, and of objects at the same position. */
const mergeList = (document: Document, list: YAMLSeq, values: readonly unknown[]): void => {
  const old = [...list.items];
  list.items = values.map((value, index) => {
    if (isRecord(value) || Array.isArray(value)) return mergeNode(document, old[index], value);
    const at = old.findIndex((node) => isScalar(node) && isSameScalar(node.value, value));
    return at < 0 ? createNode(document, value) : old.splice(at, 1)[0];
  });
};

const mergeMap = (document: Document, map: YAMLMap, values: Readonly<Record<string, unknown>>): void => {
  map.items = map.items.filter(({ key }) => isScalar(key) && Object.hasOwn(values, String(key.value)));
  for (const [key, value] of Object.entries(values)) map.set(key, mergeNode(document, map.get(key, true), value));
};

/** Returns the node with a new value, changing as little of the text as possible. */
const mergeNode = (document: Document, node: unknown, value: unknown): unknown => {
  if (isMap(node) && isRecord(value)) mergeMap(document, node, value);
  else if (isSeq(node) && Array.isArray(value)) mergeList(document, node, value);
  else if (isScalar(node) && !isRecord(value) && !Array.isArray(value)) {
    // Keeps the node, because the node also has the comment after the value.
    if (!isSameScalar(node.value, value)) node.value = value;
  } else return createNode(document, value);
  return node;
};

/** Returns the node of an entry, with the fields in which `after` differs from `before`. */
const mergeEntry = <Section extends SetUpSection>(
  document: Document,
  section: Section,
  node: unknown,
  before: SetUp[Section][number] | undefined,
  after: SetUp[Section][number],
): unknown => {
  if (before === undefined || !isMap(node)) return createNode(document, toFileEntry(section, after));
  const values = new Map<string, unknown>(Object.entries(after));
  const plain = toFileEntry(section, after);
  // Fields that the file omits stay omitted, except `invite` of an invited person.
  const stated = new Set([
    "invite",
    ...Object.entries(before).flatMap(([field, value]) => (value === undefined ? [] : [field])),
  ]);
  for (const { field } of listDifferences(before, after)) {
    if (!stated.has(field)) continue;
    const value = Object.hasOwn(plain, field) ? plain[field] : values.get(field);
    node.set(field, mergeNode(document, node.get(field, true), value));
  }
  return node;
};

/** Changes a section of the document so that it has the entries of the setup. */
const mergeSection = (document: Document, section: SetUpSection, file: AlertsFile, setUp: SetUp): void => {
  const node: unknown = document.get(section, true);
  const old: readonly SetUp[SetUpSection][number][] = file[section];
  const wanted: readonly SetUp[SetUpSection][number][] = setUp[section];
  if (!isSeq(node)) {
    if (wanted.length > 0)
      document.set(
        section,
        createNode(
          document,
          wanted.map((entry) => toFileEntry(section, entry)),
        ),
      );
    return;
  }
  const indexes = new Map(old.map((entry, index) => [readName(section, entry), index]));
  const byName = new Map(wanted.map((entry) => [readName(section, entry), entry]));
  const kept = old.flatMap((entry, index) => {
    const after = byName.get(readName(section, entry));
    return after === undefined ? [] : [mergeEntry(document, section, node.items[index], entry, after)];
  });
  const added = wanted
    .filter((entry) => !indexes.has(readName(section, entry)))
    .map((entry) => createNode(document, toFileEntry(section, entry)));
  if (wanted.length === 0) document.delete(section);
  else node.items = [...kept, ...added];
};

/** Returns the text, changed so that it contains the setup. `file`: the parsed text; its contracts stay unchanged. */
export const rewriteAlertsFile = (text: string, file: AlertsFile, setUp: SetUp): string => {
  const document = parseDocument(text);
  for (const section of setUpSections) mergeSection(document, section, file, setUp);
  return document.toString(yamlStyle);
};
