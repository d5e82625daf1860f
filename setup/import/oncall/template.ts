import type { SourceName } from "../../../core/domain/basics/source-name.ts";
import { parseBoolean, type ReadTerm } from "../boolean.ts";
import type { Formula } from "../formula.ts";

/* Reads Jinja2 templates that only compare fields. */

/** Events store these parts of Alertmanager's and Grafana's payloads under the same names. */
const KEPT: readonly string[] = ["labels", "annotations", "commonLabels", "groupLabels", "receiver", "values"];
const BASED_ON_ALERTMANAGER: readonly string[] = ["alertmanager", "grafana"];

/** Returns the field of events that stores a field of the payload. Without an adapter, the payload is in `data`. */
const toEventField = (path: readonly string[], source: SourceName | undefined): string | undefined => {
  const field = `data.${path.join(".")}`;
  if (source === undefined) return field;
  return BASED_ON_ALERTMANAGER.includes(source) && KEPT.includes(path[0] ?? "") ? field : undefined;
};

const STEP = String.raw`(?:\.(?!get\b)[A-Za-z_]\w*|\[(?:'[^'\\]*'|"[^"\\]*")\]|\.get\((?:'[^'\\]*'|"[^"\\]*")\))`;
const TEXT = String.raw`(?:'[^'\\]*'|"[^"\\]*")`;
const PATH = new RegExp(`^payload(${STEP}+)`);
const COMPARED = new RegExp(String.raw`^\s*(==|!=)\s*(${TEXT})`);
const AMONG = new RegExp(String.raw`^\s*in\s*[[(]\s*(${TEXT}(?:\s*,\s*${TEXT})*)\s*,?\s*[\])]`);
const INSIDE = new RegExp(String.raw`^(${TEXT})\s+in\s+(payload${STEP}+)`);

const removeQuotes = (text: string): string => text.slice(1, -1);
const splitPathKeys = (path: string): string[] =>
  [...path.matchAll(new RegExp(STEP, "g"))].map(([step]) => /['"]([^'"]*)['"]/.exec(step)?.[1] ?? step.slice(1));

const createTermReader =
  (source: SourceName | undefined): ReadTerm =>
  (text) => {
    const inside = INSIDE.exec(text);
    if (inside !== null) {
      const [whole, needle = "", path = ""] = inside;
      const field = toEventField(splitPathKeys(path), source);
      const says = { is: { field: field ?? "", operator: "contains", value: removeQuotes(needle) } };
      return field === undefined ? undefined : { says, length: whole.length };
    }
    const [path = "", steps = ""] = PATH.exec(text) ?? [];
    const field = path === "" ? undefined : toEventField(splitPathKeys(steps), source);
    if (field === undefined) return undefined;
    const rest = text.slice(path.length);
    const [compared, sign, value = ""] = COMPARED.exec(rest) ?? [];
    if (compared !== undefined) {
      const not = sign === "!=" ? { not: true } : {};
      const says = { is: { field, operator: "equals", value: removeQuotes(value), ...not } };
      return { says, length: path.length + compared.length };
    }
    const [among, list = ""] = AMONG.exec(rest) ?? [];
    if (among !== undefined) {
      const value = [...list.matchAll(new RegExp(TEXT, "g"))].map(([one]) => removeQuotes(one));
      return { says: { is: { field, operator: "one_of", value } }, length: path.length + among.length };
    }
    // A field without an operator is true if the field is not empty. Filters and other operators are not supported.
    return /^\s*(?:$|\)|and\b|or\b)/.test(rest)
      ? { says: { is: { field, operator: "is_not_empty" } }, length: path.length }
      : undefined;
  };

/** Converts a template to a formula; returns undefined if no rule can express the template. */
export const templateToFormula = (template: string, source: SourceName | undefined): Formula | undefined => {
  const inner = /^\s*\{\{-?((?:(?!\{\{|\}\}).)*?)-?\}\}\s*$/s.exec(template)?.[1];
  return inner === undefined ? undefined : parseBoolean(inner, createTermReader(source));
};

const SHOWN = new RegExp(String.raw`\{\{-?\s*(payload(${STEP}+))\s*-?\}\}`, "g");

/** Returns the fields in a template; undefined if the template has more than fields and text. */
export const listTemplateFields = (template: string, source: SourceName | undefined): string[] | undefined => {
  const fields = [...template.matchAll(SHOWN)].map(([, , steps = ""]) => toEventField(splitPathKeys(steps), source));
  if (fields.length === 0 || /\{[{%]/.test(template.replaceAll(SHOWN, ""))) return undefined;
  const known = fields.filter((field) => field !== undefined);
  return known.length === fields.length ? [...new Set(known)] : undefined;
};
