import * as v from "valibot";
import { TimeZone } from "../../../core/domain/basics/clock/week.ts";
import { parseBoolean, type ReadTerm } from "../boolean.ts";
import type { Condition, Formula } from "../formula.ts";
import { DAY_MINUTES, EVERY_DAY, createDailyHours } from "../hours.ts";

/* Reads PagerDuty's expression language. */

const FIELDS: Readonly<Record<string, string>> = {
  "event.summary": "title",
  "event.source": "data.source",
  "event.severity": "data.severity",
  "event.component": "data.component",
  "event.group": "data.group",
  "event.class": "data.class",
};
const DETAILS = "event.custom_details.";

/** Returns the event field for a path in a PagerDuty expression; undefined if no field corresponds. */
const findEventField = (path: string): string | undefined =>
  path.startsWith(DETAILS) ? `data.details.${path.slice(DETAILS.length)}` : FIELDS[path];

const TERM =
  /^(event(?:\.[\w-]+)+)\s+(matches part|does not match part|matches regex|does not match regex|matches|does not match|exists|does not exist)(?:\s+'((?:[^'\\]|\\.)*)')?(?=\s|\)|$)/;
const NOW =
  /^now in\s+((?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)(?:,(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun))*\s+)?(\d\d):(\d\d):\d\d to (\d\d):(\d\d):\d\d\s+([\w/+-]+)/;
const DAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

const OPERATORS: Readonly<Record<string, Pick<Condition, "operator" | "not">>> = {
  matches: { operator: "equals" },
  "matches part": { operator: "contains" },
  "matches regex": { operator: "matches_regex" },
  "does not match": { operator: "equals", not: true },
  "does not match part": { operator: "contains", not: true },
  "does not match regex": { operator: "matches_regex", not: true },
  exists: { operator: "is_not_empty" },
  "does not exist": { operator: "is_empty" },
};

const parseHoursCondition = (text: string): ReturnType<ReadTerm> => {
  const [whole, days, fromHour, fromMinute, toHour, toMinute, zone] = NOW.exec(text) ?? [];
  const timeZone = v.safeParse(TimeZone, zone);
  if (whole === undefined || !timeZone.success) return undefined;
  const from = Number(fromHour) * 60 + Number(fromMinute);
  const to = Number(toHour) * 60 + Number(toMinute);
  const on =
    days === undefined
      ? EVERY_DAY
      : days
          .trim()
          .split(",")
          .map((day) => DAYS.indexOf(day));
  const spans = createDailyHours(on, from, to > from ? to - from : to - from + DAY_MINUTES);
  return { says: { within: { spans, timeZone: timeZone.output } }, length: whole.length };
};

const readTerm: ReadTerm = (text) => {
  if (text.startsWith("now ")) return parseHoursCondition(text);
  const [whole = "", path = "", word = "", value] = TERM.exec(text) ?? [];
  const field = findEventField(path);
  const operator = OPERATORS[word];
  if (field === undefined || operator === undefined) return undefined;
  if (operator.operator.startsWith("is_")) return { says: { is: { field, ...operator } }, length: whole.length };
  if (value === undefined) return undefined;
  // In a pattern, backslashes are literal.
  const written = operator.operator === "matches_regex" ? value : value.replaceAll(/\\(['\\])/g, "$1");
  return { says: { is: { field, ...operator, value: written } }, length: whole.length };
};

/** Parses an expression to a formula; returns undefined if no rule can express the formula. */
export const parseExpression = (expression: string): Formula | undefined => parseBoolean(expression, readTerm);
