import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { metrics, metricsNamespace } from "../../core/wiring.ts";
import { valueAt, idOf, listAt, nameOf, type Resource, resourcesOf, textAt, withEveryAlarm } from "./support.ts";

const resources = resourcesOf(withEveryAlarm);
const alarms = resources("AWS::CloudWatch::Alarm").map(([, alarm]) => alarm);
const root = join(import.meta.dirname, "../..");

const sectionNameOf = (alarm: Resource): string => textAt(alarm, "AlarmName").replace("event-alerting-dev-", "");

type MetricStat = { Namespace: string; MetricName: string; Dimensions: { Name: string; Value: unknown }[] };

/** Lists the metrics of an alarm: a single one, or those of its expression. */
const metricsOf = (alarm: Resource): MetricStat[] => {
  if (valueAt(alarm, "MetricName") !== undefined) return [alarm.Properties as unknown as MetricStat];
  return listAt<{ MetricStat?: { Metric: MetricStat } }>(alarm, "Metrics").flatMap(({ MetricStat }) =>
    MetricStat === undefined ? [] : [MetricStat.Metric],
  );
};

test("each alarm has its section in the runbook, and each section its alarm", () => {
  const runbook = readFileSync(join(root, "docs/runbook.md"), "utf8");
  const parts = [...runbook.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading!);

  expect(parts.sort()).toEqual(alarms.map(sectionNameOf).sort());
  for (const part of runbook.split(/^## /m).slice(1))
    expect(part).toMatch(/\*\*Means:\*\*[^]+\*\*Check:\*\*[^]+\*\*Fix:\*\*[^]+\*\*Fixed when:\*\*/);
});

test("an alarm goes off at the threshold that its text names", () => {
  const unitsOf = { minutes: 60, s: 1, percent: 1, requests: 1 };
  const named = alarms.flatMap((alarm) => {
    const [, number, unit] =
      /(?:over|used|answered) (\d+) (minutes|s|percent|requests)\b/.exec(textAt(alarm, "AlarmDescription")) ?? [];
    return number === undefined
      ? []
      : [[sectionNameOf(alarm), Number(number) * unitsOf[unit as keyof typeof unitsOf]] as const];
  });

  expect(named.length).toBeGreaterThanOrEqual(7);
  const listThresholds = (part: string) =>
    alarms.filter((one) => sectionNameOf(one) === part).map((one) => valueAt(one, "Threshold"));
  expect(named.map(([part, number]) => [part, [number]])).toEqual(named.map(([part]) => [part, listThresholds(part)]));
});

test("an alarm's text says what is wrong and names its section of the runbook", () => {
  for (const alarm of alarms)
    expect(textAt(alarm, "AlarmDescription")).toMatch(
      new RegExp(`^[A-Z].+\\. What to do: docs/runbook\\.md#${sectionNameOf(alarm)}$`),
    );
});

const listAlarmResources = (type: string) => resources(type).filter(([id]) => id.startsWith("Observability"));

test("an alarm notifies the topic when it goes off and when it ends", () => {
  const [topic] = listAlarmResources("AWS::SNS::Topic").map(([id]) => id);

  for (const alarm of alarms) {
    expect(listAt(alarm, "AlarmActions").map(idOf)).toEqual([topic]);
    expect(listAt(alarm, "OKActions").map(idOf)).toEqual([topic]);
  }
});

test("alarms on the service's own metrics use names and dimensions that the code emits", () => {
  const own = alarms.flatMap(metricsOf).filter(({ Namespace }) => Namespace === metricsNamespace);

  const emitted: readonly string[] = Object.values(metrics);
  expect(own.filter(({ MetricName }) => !emitted.includes(MetricName))).toEqual([]);
  for (const { Dimensions } of own) expect(Dimensions).toEqual([{ Name: "Stage", Value: "dev" }]);
  expect([...new Set(own.map(({ MetricName }) => MetricName))].sort()).toEqual([...emitted].sort());
});

test("the runbook names only log groups, functions, graphs and log codes that exist", () => {
  const runbook = readFileSync(join(root, "docs/runbook.md"), "utf8");
  const listNamed = (pattern: RegExp) => [...new Set([...runbook.matchAll(pattern)].map(([, name = ""]) => name))];
  const groups = resources("AWS::Logs::LogGroup").map(([, group]) => textAt(group, "LogGroupName"));
  const functions = resources("AWS::Lambda::Function").map(([, f]) => textAt(f, "FunctionName"));
  const [dashboard] = resources("AWS::CloudWatch::Dashboard").map(([, one]) => JSON.stringify(one.Properties));
  const codes = readFileSync(join(root, "docs/logs.md"), "utf8");

  const [logs, handlers, graphs, logged] = [
    listNamed(/((?:\/aws\/vendedlogs)?\/event-alerting\/prod\/[a-z-]+)/g),
    listNamed(/function-name event-alerting-prod-([a-z-]+)/g),
    listNamed(/"([A-Z][A-Za-z ]+)"(?: on the dashboard| shows| says)/g),
    listNamed(/`([a-z]+\.(?!json)[a-z_]+)`/g),
  ];
  for (const found of [logs, handlers, graphs, logged]) expect(found.length).toBeGreaterThan(0);
  expect(logs.filter((name) => !groups.includes(name.replace("/prod/", "/dev/")))).toEqual([]);
  expect(handlers.filter((name) => !functions.includes(`event-alerting-dev-${name}`))).toEqual([]);
  expect(graphs.filter((name) => dashboard?.includes(name) !== true)).toEqual([]);
  expect(logged.filter((code) => !codes.includes(code))).toEqual([]);
  const counted: readonly string[] = Object.values(metrics);
  expect(listNamed(/`([A-Z][a-z]+[A-Z][A-Za-z]+)`/g).filter((name) => !counted.includes(name))).toEqual([]);
});

test("only the alarms for a silent sweeper and a missing synthetic event go off for missing data", () => {
  const breaching = alarms.filter((alarm) => valueAt(alarm, "TreatMissingData") === "breaching");

  expect(breaching.map(sectionNameOf).sort()).toEqual(["sweeper-silent", "synthetic-missing"]);
});

test("alarms are sent to the email address in the stage's settings", () => {
  const subscribed = resourcesOf({ alarmEmail: "oncall@example.com" })("AWS::SNS::Subscription");

  expect(resourcesOf({})("AWS::SNS::Subscription")).toEqual([]);
  expect(subscribed.map(([, { Properties }]) => [Properties["Protocol"], Properties["Endpoint"]])).toEqual([
    ["email", "oncall@example.com"],
  ]);
});

test("only CloudWatch may publish to the alarm topic, over TLS", () => {
  const [[, policy]] = listAlarmResources("AWS::SNS::TopicPolicy") as [[string, Resource]];
  const statements = listAt<{ Effect: string; Principal: unknown }>(policy, "PolicyDocument.Statement");

  expect(statements.map(({ Effect, Principal }) => [Effect, Principal])).toEqual([
    ["Deny", "*"],
    ["Allow", { Service: "cloudwatch.amazonaws.com" }],
  ]);
});

/** Functions without an alarm of their own, each with what shows that it fails. */
const WITHOUT_ALARM: Readonly<Record<string, string>> = {
  synthetic: "synthetic-missing rings when no event of its arrives",
  inbound: "queue-behind-inbound and dead-letter-inbound ring when it does not take what comes back",
};

test("every function has an alarm, or a documented reason why it has none", () => {
  const watched = new Set(
    [...resources("AWS::CloudWatch::Alarm"), ...resources("AWS::Logs::MetricFilter")].flatMap(([, one]) =>
      [...JSON.stringify(one.Properties).matchAll(/"Ref":"(?<id>\w+)"/g)].map(({ groups }) => groups?.["id"] ?? ""),
    ),
  );
  const routed = JSON.stringify(resources("AWS::ApiGatewayV2::Integration"));
  const functions = resources("AWS::Lambda::Function").filter(
    // For functions that answer requests, api-5xx counts every failure.
    ([id]) => !watched.has(id) && !routed.includes(id),
  );

  expect(functions.map(([, one]) => nameOf(one)).filter((name) => WITHOUT_ALARM[name] === undefined)).toEqual([]);
  expect(Object.keys(WITHOUT_ALARM).filter((name) => !functions.some(([, one]) => nameOf(one) === name))).toEqual([]);
});
