import * as v from "valibot";
import { omitDefaultProbe } from "../core/domain/rules/routing-rule.ts";
import { Document, isScalar, isSeq, visit, type Node, type ToStringOptions } from "yaml";
import {
  type AlertsFile,
  FileConnection,
  FileFloor,
  FileGroup,
  FileKey,
  FilePay,
  FilePerson,
  FilePolicy,
  FileRule,
  FileSchedule,
  FileSilence,
  FileWebhook,
  SECTIONS,
} from "./file.ts";

export type SetUp = Omit<AlertsFile, "contracts">;

const schemas = {
  people: FilePerson,
  groups: FileGroup,
  schedules: FileSchedule,
  policies: FilePolicy,
  floors: FileFloor,
  pay: FilePay,
  rules: FileRule,
  keys: FileKey,
  silences: FileSilence,
  webhooks: FileWebhook,
  connections: FileConnection,
} as const;
export const setUpSections = SECTIONS.filter((section) => section !== "contracts");
export type SetUpSection = (typeof setUpSections)[number];

/** Returns whether a value is the field's default, which the file may omit. */
const isDefault = (schema: v.GenericSchema | undefined, value: unknown): boolean =>
  value === undefined ||
  (schema !== undefined && JSON.stringify(v.getDefault(schema)) === JSON.stringify(value)) ||
  (Array.isArray(value) && value.length === 0 && schema?.type === "exact_optional");

/** Returns an entry for a file: fields in the schema's order, without defaults. */
export const toFileEntry = <Section extends SetUpSection>(
  section: Section,
  entry: SetUp[Section][number],
): Record<string, unknown> => {
  const written = "requiresAck" in entry ? omitDefaultProbe(entry) : entry;
  const values = new Map<string, unknown>(Object.entries(written));
  if ("steps" in entry) values.set("steps", omitFalseOnCallOnly(entry.steps));
  const fields: Readonly<Record<string, v.GenericSchema>> = schemas[section].entries;
  const plain = Object.entries(fields).flatMap(([field, schema]): [string, unknown][] => {
    const value = values.get(field);
    return isDefault(schema, value) ? [] : [[field, value]];
  });
  return Object.fromEntries(plain);
};

const omitFalseOnCallOnly = (steps: FilePolicy["steps"]) =>
  steps.map(({ delayMinutes, targets }) => ({
    delayMinutes,
    targets: targets.map((target) => ("group" in target && !target.onCallOnly ? { group: target.group } : target)),
  }));

export const yamlStyle: ToStringOptions = { lineWidth: 120, flowCollectionPadding: false };

const SHORT: readonly string[] = ["groups", "days", "ways", "value", "types"];

/** Writes each list of simple values in the fields `SHORT` on one line. */
export const formatShortLists = (node: Node | Document): void => {
  visit(node, {
    Pair: (_, { key, value }) => {
      if (!isScalar(key) || !isSeq(value)) return;
      if (SHORT.includes(String(key.value)) && value.items.every(isScalar)) value.flow = true;
    },
  });
};

/** Returns a file's text. `schema`: the URL of the JSON Schema; `comments`: the file's first lines. */
export const writeAlertsFile = (
  setUp: SetUp,
  { schema, comments = [] }: { schema?: string | undefined; comments?: readonly string[] },
): string => {
  const sections = setUpSections.flatMap((section): [string, unknown][] => {
    const entries = setUp[section].map((entry) => toFileEntry(section, entry));
    return entries.length === 0 ? [] : [[section, entries]];
  });
  // Times are quoted, because YAML 1.1 reads an unquoted 17:00 as a number.
  const document = new Document(Object.fromEntries(sections), { aliasDuplicateObjects: false, compat: "yaml-1.1" });
  formatShortLists(document);
  document.commentBefore = [
    ...(schema === undefined ? [] : [` yaml-language-server: $schema=${schema}`]),
    ...comments.map((comment) => ` ${comment}`),
  ].join("\n");
  return document.toString(yamlStyle);
};
