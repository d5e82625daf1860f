import * as v from "valibot";
import { formatSuggestion, findNearest, findNearestOpposite } from "./nearest.ts";
import type { Fault, FaultCode } from "./refusal.ts";

type Path = readonly (string | number)[];

export type LocatedFault = Fault & { path: Path };

export const formatPath = (path: Path): string => {
  let field = "";
  for (const key of path) field += typeof key === "number" ? `[${key}]` : `${field === "" ? "" : "."}${key}`;
  return field;
};

const readIssuePath = (issue: v.BaseIssue<unknown>): Path =>
  (issue.path ?? []).map(({ key }) => (typeof key === "number" ? key : String(key)));

const codes: Readonly<Record<string, FaultCode>> = {
  max_code_points: "too_long",
  max_bytes: "too_long",
  min_length: "too_short",
  max_length: "too_many",
  min_value: "too_small",
  max_value: "too_large",
  picklist: "unknown_value",
  literal: "unknown_value",
  variant: "unknown_value",
};

/** Returns whether the input lacks the value. A value that a transformation has replaced by undefined is not missing. */
const isValueMissing = (issue: v.BaseIssue<unknown>): boolean =>
  issue.kind === "schema" &&
  issue.input === undefined &&
  issue.path?.at(-1)?.value === undefined &&
  issue.expected !== "never";

const isUnknownField = (issue: v.BaseIssue<unknown>): boolean =>
  issue.type === "strict_object" && issue.expected === "never";

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/** Returns the fields that the schema allows in the object at the path. */
const listAllowedFields = (schema: unknown, path: readonly string[]): string[] => {
  if (!isRecord(schema)) return [];
  const { entries, item, wrapped, options } = schema;
  if (Array.isArray(options)) return options.flatMap((option) => listAllowedFields(option, path));
  if (wrapped !== undefined) return listAllowedFields(wrapped, path);
  const [key, ...rest] = path;
  if (isRecord(entries)) return key === undefined ? Object.keys(entries) : listAllowedFields(entries[key], rest);
  return listAllowedFields(item, rest);
};

/** Returns a question such as "Did you mean conditions?" for an unknown or missing field; "" if no name is similar. */
const suggestField = (schema: unknown, issue: v.BaseIssue<unknown>): string => {
  const item = issue.path?.at(-1);
  const known = listAllowedFields(schema, issue.path?.slice(0, -1).map(({ key }) => String(key)) ?? []);
  const written = String(item?.key);
  if (isUnknownField(issue)) return formatSuggestion(written, known);
  const others = isRecord(item?.input) ? Object.keys(item.input).filter((key) => !known.includes(key)) : [];
  const typed = others.find((key) => findNearest(key, known) === written);
  return typed === undefined ? "" : ` ${typed} is unknown: did you mean ${written}?`;
};

/** Returns " Did you mean …?" with the allowed value that is most similar to the wrong value; "" if none is similar. */
const suggestValue = (issue: v.BaseIssue<unknown>): string => {
  const value = issue.path?.at(-1)?.value;
  const written = typeof value === "number" ? String(value) : value;
  if ((issue.type !== "picklist" && issue.type !== "variant") || typeof written !== "string") return "";
  const known = [...(issue.expected ?? "").matchAll(/"(?<value>[^"]+)"/g)].map(({ groups }) => groups?.["value"] ?? "");
  const question = formatSuggestion(written, known);
  if (question !== "") return question;
  const positive = issue.path?.at(-1)?.key === "operator" ? findNearestOpposite(written, known) : undefined;
  return positive === undefined ? "" : ` Did you mean ${positive} with "not": true?`;
};

const kinds: Readonly<Record<string, string>> = {
  Object: "an object",
  Array: "an array",
  string: "a string",
  number: "a number",
  boolean: "true or false",
};

/** Returns the issue's message. Replaces valibot's message about a wrong type by one that names the field. */
const describeIssue = ({ message, expected }: v.BaseIssue<unknown>, field: string): string => {
  const kind = message.startsWith("Invalid type: ") ? kinds[expected ?? ""] : undefined;
  return kind === undefined ? message : `${field === "" ? "The value" : field} must be ${kind}.`;
};

const createUnknownFieldFault = (field: string, suggestion: string): Fault => ({
  field,
  code: "unknown_field",
  message: `${field} is not a field that can be set here.${suggestion}`,
});

/** Finds unknown fields that are probably misspelled, because their names resemble an absent optional field. */
export const findMisspelledFields =
  (optional: readonly string[]) =>
  (json: object): Fault[] => {
    const absent = optional.filter((name) => !Object.hasOwn(json, name));
    return Object.keys(json).flatMap((field) => {
      const suggestion = optional.includes(field) ? "" : formatSuggestion(field, absent);
      return suggestion === "" ? [] : [createUnknownFieldFault(field, suggestion)];
    });
  };

const toFault = (schema: unknown, issue: v.BaseIssue<unknown>): LocatedFault => {
  const path = readIssuePath(issue);
  const field = formatPath(path);
  if (isValueMissing(issue))
    return { path, field, code: "required", message: `${field} is required.${suggestField(schema, issue)}` };
  if (isUnknownField(issue)) return { path, ...createUnknownFieldFault(field, suggestField(schema, issue)) };
  if (issue.type === "raw_check" && issue.expected === "required")
    return { path, field, code: "required", message: issue.message };
  return {
    path,
    field,
    code: codes[issue.type] ?? (issue.kind === "schema" ? "wrong_type" : "invalid"),
    message: `${describeIssue(issue, field)}${suggestValue(issue)}`,
  };
};

/** Returns the issues of a union's options, or the issue itself if the options have no issues with a path. */
const listNestedIssues = (issue: v.BaseIssue<unknown>): v.BaseIssue<unknown>[] => {
  const deeper = issue.type === "union" ? (issue.issues ?? []) : [];
  const found = deeper.flatMap((one): v.BaseIssue<unknown>[] => {
    const [first, ...rest] = one.path === undefined ? [] : [...(issue.path ?? []), ...one.path];
    return first === undefined ? [] : [{ ...one, path: [first, ...rest] }];
  });
  return found.length === 0 ? [issue] : found;
};

const UNKNOWN_FIELDS_MAX = 20;

/** Deletes reported unknown fields from the input, so that the next check reports others. Returns whether it deleted a field. */
const dropUnknownFields = (issues: readonly v.BaseIssue<unknown>[]): boolean => {
  let dropped = false;
  for (const issue of issues) {
    const item = issue.path?.at(-1);
    if (!isUnknownField(issue) || item === undefined || typeof item.input !== "object" || item.input === null) continue;
    dropped = Reflect.deleteProperty(item.input, String(item.key)) || dropped;
  }
  return dropped;
};

type PathNode = { value: unknown; key: string | number; parent: PathNode | undefined };

const readPathTo = (visited: PathNode): Path => {
  const path: (string | number)[] = [];
  for (let node: PathNode | undefined = visited; node?.parent !== undefined; node = node.parent) path.push(node.key);
  return path.toReversed();
};

/** Returns a fault for each key `__proto__`. Builds only paths of `__proto__`, because an input can have 30,000 levels. */
const findProtoKeys = (input: unknown): LocatedFault[] => {
  const faults: LocatedFault[] = [];
  const open: PathNode[] = [{ value: input, key: "", parent: undefined }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value } = next;
    if (typeof value !== "object" || value === null) continue;
    for (const [name, inner] of Object.entries(value)) {
      const found = { value: inner, key: Array.isArray(value) ? Number(name) : name, parent: next };
      if (name !== "__proto__") open.push(found);
      else if (faults.length < UNKNOWN_FIELDS_MAX) {
        const path = readPathTo(found);
        faults.push({ path, field: formatPath(path), code: "invalid", message: "__proto__ is not allowed as a key." });
      }
    }
  }
  return faults;
};

type ParseResult<Output, Found> = { value: Output; faults: [] } | { value: undefined; faults: Found[] };

/** Returns the value, or every fault with its path. Modifies the input. */
export const parseWithPaths = <Output>(
  schema: v.GenericSchema<unknown, Output>,
  input: unknown,
): ParseResult<Output, LocatedFault> => {
  const faults = new Map(findProtoKeys(input).map((fault) => [fault.field, fault]));
  for (let round = 0; round < UNKNOWN_FIELDS_MAX; round += 1) {
    const result = v.safeParse(schema, input);
    if (result.success && faults.size === 0) return { value: result.output, faults: [] };
    for (const fault of (result.issues ?? []).flatMap(listNestedIssues).map((issue) => toFault(schema, issue)))
      if (!faults.has(fault.field)) faults.set(fault.field, fault);
    if (!dropUnknownFields(result.issues ?? [])) break;
  }
  return { value: undefined, faults: [...faults.values()] };
};

/** Returns the value, or every fault in the API's format. Modifies the input. */
export const parseInput = <Output>(
  schema: v.GenericSchema<unknown, Output>,
  input: unknown,
): ParseResult<Output, Fault> => {
  const { value, faults } = parseWithPaths(schema, input);
  if (value !== undefined) return { value, faults: [] };
  return { value: undefined, faults: faults.map(({ field, code, message }) => ({ field, code, message })) };
};
