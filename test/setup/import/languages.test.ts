import { describe, expect, it } from "vitest";
import { createDailyHours } from "../../../setup/import/hours.ts";
import { templateToFormula } from "../../../setup/import/oncall/template.ts";
import { parseExpression } from "../../../setup/import/pagerduty/expression.ts";

const createCondition = (field: string, operator: string, value?: string | string[], not = false) => ({
  is: { field, operator, ...(value === undefined ? {} : { value }), ...(not ? { not } : {}) },
});
const A = "event.summary matches 'a'";
const B = "event.source matches 'b'";
const [a, b] = [createCondition("title", "equals", "a"), createCondition("data.source", "equals", "b")];

describe("an expression of PagerDuty in an import", () => {
  it.each([
    ["event.summary matches 'x'", createCondition("title", "equals", "x")],
    ["event.source matches part 'x'", createCondition("data.source", "contains", "x")],
    ["event.severity matches regex '^x+$'", createCondition("data.severity", "matches_regex", "^x+$")],
    ["event.component does not match 'x'", createCondition("data.component", "equals", "x", true)],
    ["event.group does not match part 'x'", createCondition("data.group", "contains", "x", true)],
    ["event.class does not match regex 'x'", createCondition("data.class", "matches_regex", "x", true)],
    ["event.custom_details.region exists", createCondition("data.details.region", "is_not_empty")],
    ["event.custom_details.a-b.c does not exist", createCondition("data.details.a-b.c", "is_empty")],
    [
      String.raw`event.summary matches 'it\'s \\ and \d'`,
      createCondition("title", "equals", String.raw`it's \ and \d`),
    ],
    [
      String.raw`event.summary matches regex 'it\'s \\d'`,
      createCondition("title", "matches_regex", String.raw`it\'s \\d`),
    ],
    ["event.summary  matches  ''", createCondition("title", "equals", "")],
  ])("becomes one condition of a rule: `%s`", (expression, says) => {
    expect(parseExpression(expression)).toEqual(says);
  });

  const every = [0, 1, 2, 3, 4, 5, 6];
  it.each([
    ["now in 09:00:00 to 17:30:00 Europe/Berlin", createDailyHours(every, 540, 510), "Europe/Berlin"],
    ["now in Mon,Sun 22:15:00 to 06:00:00 Etc/GMT+5", createDailyHours([0, 6], 1_335, 465), "Etc/GMT+5"],
    ["now in Tue,Wed,Thu,Fri,Sat 00:00:00 to 00:00:00 UTC", createDailyHours([1, 2, 3, 4, 5], 0, 1_440), "UTC"],
  ])("becomes hours of a week: `%s`", (expression, spans, timeZone) => {
    expect(parseExpression(expression)).toEqual({ within: { spans, timeZone } });
  });

  it.each([
    [`${A} and ${B}`, { all: [a, b] }],
    [`${A} or ${B}`, { any: [a, b] }],
    [`${A} or ${B} and ${A}`, { any: [a, { all: [b, a] }] }],
    [`(${A} or ${B}) AND ${A}`, { all: [{ any: [a, b] }, a] }],
    [` not  ( ${A} ) `, createCondition("title", "equals", "a", true)],
    [`not not ${A}`, a],
    [
      `now in 09:00:00 to 10:00:00 UTC and ${A}`,
      { all: [{ within: { spans: createDailyHours(every, 540, 60), timeZone: "UTC" } }, a] },
    ],
  ])("becomes a combination of conditions of a rule: `%s`", (expression, formula) => {
    expect(parseExpression(expression)).toEqual(formula);
  });

  it.each([
    "",
    "event.summary",
    "event.summary matches",
    "event.summary matches x",
    "event.summary matches 'x",
    "event.summary matches 'x'y",
    "event.summary likes 'x'",
    "event.unknown matches 'x'",
    "the event.summary matches 'x'",
    "summary matches 'x'",
    "trigger_count over 5 in 1 hours",
    "now in 09:00:00 to 10:00:00 Nowhere/City",
    "now in Mon;Tue 09:00:00 to 10:00:00 UTC",
    "now and then",
    "now in 9:00:00 to 10:00:00 UTC",
    `${A} and`,
    `${A} and event.unknown exists`,
    `${A} or event.unknown exists`,
    `${A} xor ${B}`,
    `${A} ${B}`,
    `(${A}`,
    `(${A} ${B})`,
    `${A})`,
    `not`,
    `not event.unknown exists`,
    `notevent.summary exists`,
    `${A} andevent.summary exists`,
  ])("is not imported if it is malformed or a rule cannot express it: `%s`", (expression) => {
    expect(parseExpression(expression)).toBeUndefined();
  });
});

describe("a template of Grafana OnCall in an import", () => {
  it.each([
    [`{{ payload.labels.severity == "critical" }}`, createCondition("data.labels.severity", "equals", "critical")],
    [`{{payload["labels"]['severity'] != 'a b'}}`, createCondition("data.labels.severity", "equals", "a b", true)],
    [` {{- payload.get("labels").get('severity') -}} `, createCondition("data.labels.severity", "is_not_empty")],
    [`{{ payload.get_it == "x" }}`, createCondition("data.get_it", "equals", "x")],
    [`{{ "db" in payload.labels.service }}`, createCondition("data.labels.service", "contains", "db")],
    [`{{ payload.env in ["prod", 'stage'] }}`, createCondition("data.env", "one_of", ["prod", "stage"])],
    [`{{ payload.env in ("prod" , ) }}`, createCondition("data.env", "one_of", ["prod"])],
    [`{{ payload.env in [ 'prod' ] }}`, createCondition("data.env", "one_of", ["prod"])],
  ])("becomes one condition of a rule: `%s`", (template, says) => {
    expect(templateToFormula(template, undefined)).toEqual(says);
  });

  it("becomes a condition of a rule even if it has a line break", () => {
    expect(templateToFormula("{{ payload.a\n== 'x' }}", undefined)).toEqual(createCondition("data.a", "equals", "x"));
  });

  it.each([
    [
      "{{ payload.a and payload.b }}",
      { all: [createCondition("data.a", "is_not_empty"), createCondition("data.b", "is_not_empty")] },
    ],
    [
      "{{ payload.a or not (payload.b) }}",
      {
        any: [createCondition("data.a", "is_not_empty"), createCondition("data.b", "is_not_empty", undefined, true)],
      },
    ],
    [
      "{{ 'x' in payload.a or payload.b == 'y' }}",
      { any: [createCondition("data.a", "contains", "x"), createCondition("data.b", "equals", "y")] },
    ],
  ])("becomes a combination of conditions of a rule: `%s`", (template, formula) => {
    expect(templateToFormula(template, undefined)).toEqual(formula);
  });

  it.each([
    "",
    "payload.a == 'x'",
    "{{ payload == 'x' }}",
    "{{ payload.a | lower == 'x' }}",
    "{{ payload.a | length > 2 }}",
    "{{ payload.a == b }}",
    "{{ payload.a in b }}",
    "{{ payload.a in [b] }}",
    "{{ payload.a }} {{ payload.b }}",
    "before {{ payload.a }}",
    "{{ payload.a }} after",
    "{{ 'x' in alert.a }}",
    "{{ my_payload.a }}",
    "{{ 'x' == payload.a }}",
    "{{ payload.a.get }}",
    "{{ payload.get('a', '') }}",
    "{{ payload.a android }}",
    "{% if payload.a %}True{% endif %}",
  ])("is not imported if it is malformed or a rule cannot express it: `%s`", (template) => {
    expect(templateToFormula(template, undefined)).toBeUndefined();
  });

  const kept = ["labels", "annotations", "commonLabels", "groupLabels", "receiver", "values"];
  it.each(["alertmanager", "grafana"] as const)(
    "for messages of %s is imported only if it uses fields that events of this source keep",
    (source) => {
      for (const field of kept)
        expect(templateToFormula(`{{ payload.${field} == 'x' }}`, source)).toEqual(
          createCondition(`data.${field}`, "equals", "x"),
        );
      expect(templateToFormula("{{ payload.status == 'x' }}", source)).toBeUndefined();
      expect(templateToFormula("{{ 'x' in payload.status }}", source)).toBeUndefined();
    },
  );

  it("is not imported if it is for messages of another source than Alertmanager and Grafana", () => {
    expect(templateToFormula("{{ payload.labels.a == 'x' }}", "sentry")).toBeUndefined();
  });
});
