import * as v from "valibot";
import { describe, expect, it } from "vitest";
import type { ToolName } from "../../../../core/domain/basics/source-name.ts";
import { listEventLinks } from "../../../../core/domain/event/event.ts";
import { fitDraft } from "../../../../core/domain/sources/fit.ts";
import { sources } from "../../../../core/domain/sources/index.ts";

/*
 * Payloads in the shapes that each tool and version really sends, written for this test, and the expected events. `data` is
 * compared only for the named fields, everything else completely.
 */

/** An event as its key, priority, title and body: "grafana.firing HIGH | CPU | The CPU is busy." */
type Expected = readonly [
  event: string,
  more?: {
    /** The dedupeKey of the alert that the event opens or ends. */
    opens?: string;
    ends?: string;
    /** Links by label. The first link is the event's `url`. */
    links?: Readonly<Record<string, string>>;
    data?: object;
    warned?: readonly string[];
  },
];
type Row = readonly [payload: unknown, ...events: readonly Expected[]];
const REFUSED: Expected = ["422"];

const readMessage = (source: ToolName, payload: unknown) => {
  const result = v.safeParse(sources[source].adapter, structuredClone(payload));
  if (!result.success) return [{ event: "422" }];
  return result.output.map((draft) => {
    const { event, warnings } = fitDraft(source, draft);
    return {
      event: `${event.eventKey} ${[event.priority, event.title, event.body].join(" | ")}`,
      opens: event.dedupeKey,
      ends: event.resolves,
      links: listEventLinks(event).map(({ label, url }) => `${label}: ${url}`),
      data: event.data ?? {},
      warned: warnings.map(({ message }) => message),
    };
  });
};

const testMessages = (source: ToolName, rows: Readonly<Record<string, Row>>): void =>
  describe.each([[source]])("a message of the tool %s", () => {
    it.each(Object.entries(rows))("gives the result that the test lists: %s", (_what, [payload, ...expected]) => {
      const whole = expected.map(([event, more = {}]) =>
        event === "422"
          ? { event }
          : {
              event,
              opens: more.opens,
              ends: more.ends,
              links: Object.entries(more.links ?? {}).map(([label, url]) => `${label}: ${url}`),
              data: expect.objectContaining(more.data ?? {}) as object,
              warned: more.warned ?? [],
            },
      );

      expect(readMessage(source, payload)).toEqual(whole);
    });
  });

const FIRED = "2026-11-21T10:00:00Z";
const ENDED = "2026-11-21T10:30:00Z";
const NEVER = "0001-01-01T00:00:00Z";

/** A group of alerts as Alertmanager (from 0.15 on) and Grafana send it. */
const group = (...alerts: object[]) => ({ version: "4", groupKey: "{}", truncatedAlerts: 0, receiver: "ops", alerts });
const alert = (fields: object = {}, labels: object = {}, annotations: object = {}) => ({
  status: "firing",
  labels: { alertname: "DiskFull", ...labels },
  annotations: { summary: "Disk of db-1 is full", description: "2 % are left.", ...annotations },
  startsAt: FIRED,
  endsAt: NEVER,
  fingerprint: "9a0b",
  ...fields,
});
const fires = "NORMAL | Disk of db-1 is full | 2 % are left.";
const severities = {
  P0: "URGENT",
  S1: "URGENT",
  "sev-1": "URGENT",
  crit: "URGENT",
  blocker: "URGENT",
  severe: "URGENT",
  "sev-2": "HIGH",
};

testMessages("alertmanager", {
  "links with their alternative names": [
    group(alert({}, {}, { runbook: "https://wiki.example/d", dashboard_url: "https://dash.example/1" })),
    [
      `alertmanager.firing ${fires}`,
      { opens: "alertmanager:9a0b", links: { Runbook: "https://wiki.example/d", Dashboard: "https://dash.example/1" } },
    ],
  ],
  "a dashboard with its shortest name, and an ordinary text named error": [
    group(alert({}, {}, { dashboard: "https://dash.example/2", Error: "none" })),
    [`alertmanager.firing ${fires}`, { opens: "alertmanager:9a0b", links: { Dashboard: "https://dash.example/2" } }],
  ],
  "an alert of version 0.15, which has no fingerprint": [
    group({ status: "firing", labels: { severity: "page", alertname: "Lag" }, annotations: {}, startsAt: FIRED }),
    [
      "alertmanager.firing URGENT | Lag | severity: page\nalertname: Lag",
      { opens: 'alertmanager:alertname="Lag",severity="page"' },
    ],
  ],
  "the end of an alert without a fingerprint": [
    group({ status: "resolved", labels: { alertname: "Lag", severity: "page" }, startsAt: FIRED, endsAt: ENDED }),
    [
      "alertmanager.resolved LOW | Resolved: Lag | alertname: Lag\nseverity: page",
      { ends: 'alertmanager:alertname="Lag",severity="page"' },
    ],
  ],
  "an alert with a runbook and Prometheus' graph": [
    group(alert({ generatorURL: "http://prom.example/graph" }, {}, { runbook_url: "https://wiki.example/disk" })),
    [
      `alertmanager.firing ${fires}`,
      {
        opens: "alertmanager:9a0b",
        links: { Runbook: "https://wiki.example/disk", Graph: "http://prom.example/graph" },
        data: { "labels.alertname": "DiskFull", startsAt: FIRED, receiver: "ops" },
      },
    ],
  ],
  "the same alert after a restart of Prometheus, with another start time": [
    group(alert({ startsAt: ENDED })),
    [`alertmanager.firing ${fires}`, { opens: "alertmanager:9a0b" }],
  ],
  "the end of an alert": [
    group(alert({ status: "resolved", startsAt: ENDED, endsAt: "2026-11-21T10:40:00Z" })),
    ["alertmanager.resolved LOW | Resolved: Disk of db-1 is full | 2 % are left.", { ends: "alertmanager:9a0b" }],
  ],
  "a relative URL beside a runbook": [
    group(alert({ generatorURL: "/graph?g0.expr=up" }, {}, { runbook_url: "https://wiki.example/disk" })),
    [
      `alertmanager.firing ${fires}`,
      {
        opens: "alertmanager:9a0b",
        links: { Runbook: "https://wiki.example/disk" },
        warned: ["data.links.Graph was dropped: it is not an http or https URL of at most 2048 characters."],
      },
    ],
  ],
  "a group of which the message contains only some alerts": [
    { ...group(alert()), truncatedAlerts: 97 },
    [
      "alertmanager.firing NORMAL | Disk of db-1 is full | 2 % are left.\n97 more alerts of this group were left out of the message.",
      {
        opens: "alertmanager:9a0b",
        data: { truncatedAlerts: 97 },
        warned: ["97 more alerts of this group were left out of the message."],
      },
    ],
  ],
  ...Object.fromEntries(
    Object.entries(severities).map(([word, priority]): [string, Row] => [
      `the severity ${word}`,
      [
        group(alert({}, { severity: word })),
        [`alertmanager.firing ${priority} | Disk of db-1 is full | 2 % are left.`, { opens: "alertmanager:9a0b" }],
      ],
    ]),
  ),
  "an unknown severity": [
    group(alert({}, { severity: "spicy" })),
    [
      `alertmanager.firing ${fires}`,
      { opens: "alertmanager:9a0b", warned: ["priority is NORMAL: spicy is not a known severity."] },
    ],
  ],
  "an unknown severity beside a priority": [
    group(alert({}, { severity: "spicy", priority: "P1" })),
    ["alertmanager.firing URGENT | Disk of db-1 is full | 2 % are left.", { opens: "alertmanager:9a0b" }],
  ],
  "an alert in a state of another tool": [
    group(alert({ status: "suppressed" })),
    ["alertmanager.info LOW | Disk of db-1 is full | 2 % are left."],
  ],
  "a summary of two lines": [
    group(alert({}, {}, { summary: "Disk of db-1\n  is full\n" })),
    [`alertmanager.firing ${fires}`, { opens: "alertmanager:9a0b" }],
  ],
  "JSON in an annotation": [
    group(alert({}, {}, { context: '{"host": {"free": 2}}' })),
    [`alertmanager.firing ${fires}`, { opens: "alertmanager:9a0b", data: { "annotations.context.host.free": 2 } }],
  ],
});

/** A dashboard alert, as Grafana sent it up to version 10. */
const dashboardAlert = (state: string) => ({
  dashboardId: 1,
  evalMatches: [{ value: 98, metric: "cpu", tags: { host: "db-1" } }],
  message: "The CPU is busy.",
  orgId: 1,
  panelId: 2,
  ruleId: 7,
  ruleName: "CPU",
  ruleUrl: "https://grafana.example/d/1?viewPanel=2",
  state,
  tags: { severity: "critical" },
  title: `[Alerting] CPU`,
});
const PANEL = { Panel: "https://grafana.example/d/1?viewPanel=2" };
const brokenAlert = (alertname: string, annotations: object) =>
  group(alert({ fingerprint: "e1" }, { alertname, rulename: "Orders per minute" }, annotations));

testMessages("grafana", {
  "a failing query whose state is in lower case": [
    brokenAlert("Error in orders", { grafana_state_reason: "Error", error: "timeout" }),
    ["grafana.firing NORMAL | Query failed: Orders per minute | timeout", { opens: "grafana:e1" }],
  ],
  "an alert of version 8.0 for no data": [
    group(alert({}, { alertname: "NoData" }, {})),
    ["grafana.firing NORMAL | No data: NoData | 2 % are left.", { opens: "grafana:9a0b" }],
  ],
  "a user's rule with the name of a Grafana rule": [
    group(alert({}, { alertname: "My DatasourceError" }, {})),
    [`grafana.firing ${fires}`, { opens: "grafana:9a0b" }],
  ],
  "a user's rule whose name begins like that of a Grafana rule": [
    group(alert({}, { alertname: "NoDataFromShop" }, { grafana_state_reason: "" })),
    [`grafana.firing ${fires}`, { opens: "grafana:9a0b" }],
  ],
  "a dashboard alert with almost no fields": [
    { state: "alerting", tags: { priority: "P2", runbook_url: "https://wiki.example/d" } },
    [
      "grafana.firing HIGH | Alert | Alert",
      { opens: "grafana:rule:Alert", links: { Runbook: "https://wiki.example/d" } },
    ],
  ],
  "a dashboard alert without an organisation": [
    { state: "ok", ruleId: 7 },
    ["grafana.resolved LOW | Resolved: Alert | Alert", { ends: "grafana:rule::7" }],
  ],
  "null, which is refused": [null, REFUSED],
  "a text, which is refused": ["state", REFUSED],
  "an alert of version 9": [
    group(
      alert({
        dashboardURL: "https://grafana.example/d/1",
        panelURL: PANEL.Panel,
        values: { B: 98.2 },
        valueString: "",
      }),
    ),
    [
      `grafana.firing ${fires}`,
      {
        opens: "grafana:9a0b",
        links: { ...PANEL, Dashboard: "https://grafana.example/d/1" },
        data: { "values.B": 98.2 },
      },
    ],
  ],
  "the end of an alert of version 12, with equal start and end times": [
    group(alert({ status: "resolved", startsAt: ENDED, endsAt: ENDED })),
    ["grafana.resolved LOW | Resolved: Disk of db-1 is full | 2 % are left.", { ends: "grafana:9a0b" }],
  ],
  "an alert of version 8 without a description": [
    group({ ...alert(), annotations: {}, valueString: "[ var='B' value=98 ]", dashboardURL: "", panelURL: "" }),
    ["grafana.firing NORMAL | DiskFull | [ var='B' value=98 ]", { opens: "grafana:9a0b" }],
  ],
  "a query that fails": [
    brokenAlert("DatasourceError", { Error: "dial tcp: i/o timeout" }),
    ["grafana.firing NORMAL | Query failed: Orders per minute | dial tcp: i/o timeout", { opens: "grafana:e1" }],
  ],
  "a query without data": [
    brokenAlert("DatasourceNoData", {}),
    ["grafana.firing NORMAL | No data: Orders per minute | 2 % are left.", { opens: "grafana:e1" }],
  ],
  "a rule that fires because it has no data": [
    brokenAlert("Orders per minute", { grafana_state_reason: "NoData" }),
    ["grafana.firing NORMAL | No data: Orders per minute | 2 % are left.", { opens: "grafana:e1" }],
  ],
  "a rule that ends because its series no longer exists": [
    group(alert({ status: "resolved", endsAt: ENDED }, {}, { grafana_state_reason: "MissingSeries" })),
    ["grafana.resolved LOW | Resolved: Disk of db-1 is full | 2 % are left.", { ends: "grafana:9a0b" }],
  ],
  "a message with fewer alerts than are firing": [
    { ...group(alert()), truncatedAlerts: 3 },
    [
      "grafana.firing NORMAL | Disk of db-1 is full | 2 % are left.\n3 more alerts of this group were left out of the message.",
      {
        opens: "grafana:9a0b",
        data: { truncatedAlerts: 3 },
        warned: ["3 more alerts of this group were left out of the message."],
      },
    ],
  ],
  "a dashboard alert of version 6 that fires": [
    dashboardAlert("alerting"),
    [
      "grafana.firing URGENT | CPU | The CPU is busy.",
      { opens: "grafana:rule:1:7", links: PANEL, data: { "values.cpu": 98, "labels.severity": "critical" } },
    ],
  ],
  "a dashboard alert that has ended": [
    dashboardAlert("ok"),
    ["grafana.resolved LOW | Resolved: CPU | The CPU is busy.", { ends: "grafana:rule:1:7", links: PANEL }],
  ],
  "a dashboard alert without data": [
    dashboardAlert("no_data"),
    ["grafana.firing URGENT | No data: CPU | The CPU is busy.", { opens: "grafana:rule:1:7", links: PANEL }],
  ],
  "a pending dashboard alert": [dashboardAlert("pending")],
  "a dashboard alert that is paused": [dashboardAlert("paused")],
});

const ARN = "arn:aws:cloudwatch:eu-west-1:111122223333:alarm:";
const TOPIC = "arn:aws:sns:eu-west-1:111122223333:ops";
const consoleLink = (name: string) => ({
  Alarm: `https://eu-west-1.console.aws.amazon.com/cloudwatch/home?region=eu-west-1#alarmsV2:alarm/${name}`,
});
const snsEnvelope = (message: object | string, Subject?: string) => ({
  Type: "Notification",
  MessageId: "0e1f",
  TopicArn: TOPIC,
  Subject,
  Message: typeof message === "string" ? message : JSON.stringify(message),
});
const alarm = (value: string, fields: object = {}) => ({
  AlarmName: "shop-5xx",
  AlarmDescription: "Customers see errors.",
  AWSAccountId: "111122223333",
  NewStateValue: value,
  NewStateReason: "Threshold Crossed.",
  StateChangeTime: "2026-11-21T10:00:00.000+0000",
  Region: "EU (Ireland)",
  AlarmArn: `${ARN}shop-5xx`,
  OldStateValue: "OK",
  Trigger: { MetricName: "5XXError", Dimensions: [{ value: "shop", name: "ApiName" }] },
  ...fields,
});
const eventBridgeEvent = (type: string, source: string, detail: object, fields: object = {}) => ({
  version: "0",
  id: "7c1d",
  "detail-type": type,
  source,
  account: "111122223333",
  time: FIRED,
  region: "eu-west-1",
  resources: [],
  detail,
  ...fields,
});
const alarmEvent = (value: string, reasonData = "{}") =>
  eventBridgeEvent(
    "CloudWatch Alarm State Change",
    "aws.cloudwatch",
    {
      alarmName: "shop-5xx",
      state: { value, reason: "Threshold Crossed.", reasonData, timestamp: "2026-11-21T10:00:00.000+0000" },
      previousState: { value: "OK" },
      configuration: {
        description: "Customers see errors.",
        metrics: [{ id: "m1", metricStat: { metric: { name: "5XXError", dimensions: { ApiName: "shop" } } } }],
      },
    },
    { resources: [`${ARN}shop-5xx`] },
  );
const OPENS = { opens: `cloudwatch:${ARN}shop-5xx`, links: consoleLink("shop-5xx") };
const ENDS = { ends: `cloudwatch:${ARN}shop-5xx`, links: consoleLink("shop-5xx") };
const guardDuty = eventBridgeEvent("GuardDuty Finding", "aws.guardduty", {
  id: "f1",
  type: "UnauthorizedAccess:EC2/SSHBruteForce",
  severity: 8,
  title: "i-1 is performing SSH brute force attacks.",
  description: "i-1 attacks 203.0.113.7.",
});
const rds = {
  "Event Source": "db-instance",
  "Event Time": "2026-11-21 10:00:00.000",
  "Identifier Link": "https://console.aws.amazon.com/rds/home#dbinstance:id=orders",
  "Source ID": "orders",
  "Event ID": "http://docs.aws.amazon.com/AmazonRDS/latest/UserGuide/USER_Events.html#RDS-EVENT-0049",
  "Event Message": "Multi-AZ instance failover completed",
};
const failover: Expected = [
  "cloudwatch.info NORMAL | orders: Multi-AZ instance failover completed | Multi-AZ instance failover completed",
  { links: { Console: rds["Identifier Link"] }, data: { "Source ID": "orders", "Event Source": "db-instance" } },
];
const BUDGET = "AWS Budget Notification November 21, 2026\nAWS Account 111122223333\n\nYour actual cost is above $100.";

testMessages("cloudwatch", {
  "an alarm from EventBridge with only a name": [
    { "detail-type": "CloudWatch Alarm State Change", detail: { alarmName: "shop-5xx" } },
    [
      "cloudwatch.info NORMAL | shop-5xx is in an unknown state | shop-5xx is ",
      { data: { alarm: "shop-5xx", state: "" } },
    ],
  ],
  "metrics and child alarms without names": [
    alarm("ALARM", {
      Trigger: { Metrics: [{ MetricStat: {} }, { metricStat: {} }, { Id: "e" }] },
      TriggeringChildren: [{}, { Arn: `${ARN}shop:alarm:b` }],
    }),
    ["cloudwatch.firing HIGH | shop-5xx | Customers see errors.", { ...OPENS, data: { children: "b" } }],
  ],
  "an event of RDS without an instance": [
    { "Event Source": "db-snapshot", "Event Message": "Snapshot deleted" },
    ["cloudwatch.info NORMAL | Snapshot deleted | Snapshot deleted"],
  ],
  "JSON with only the id of a source": [
    snsEnvelope({ "Source ID": "orders" }, "Of ours"),
    [`cloudwatch.info NORMAL | Of ours | {"Source ID":"orders"}`, { data: { "Source ID": "orders" } }],
  ],
  "an alarm of a metric by raw delivery": [
    alarm("ALARM"),
    [
      "cloudwatch.firing HIGH | shop-5xx | Customers see errors.",
      { ...OPENS, data: { "dimensions.ApiName": "shop", "trigger.MetricName": "5XXError", oldState: "OK" } },
    ],
  ],
  "an alarm in the envelope of its topic": [
    snsEnvelope(alarm("ALARM"), "ALARM: shop-5xx"),
    ["cloudwatch.firing HIGH | shop-5xx | Customers see errors.", OPENS],
  ],
  "an alarm that has ended": [
    snsEnvelope(alarm("OK")),
    ["cloudwatch.resolved LOW | Resolved: shop-5xx | Customers see errors.", ENDS],
  ],
  "an alarm without data": [
    snsEnvelope(alarm("INSUFFICIENT_DATA")),
    ["cloudwatch.info NORMAL | No data: shop-5xx | Customers see errors.", { links: consoleLink("shop-5xx") }],
  ],
  "an alarm of an expression over metrics": [
    alarm("ALARM", {
      Trigger: {
        Metrics: [
          { Id: "e1", Expression: "m1/m2" },
          { Id: "m1", MetricStat: { Metric: { Dimensions: [{ name: "QueueName", value: "orders" }] } } },
        ],
      },
    }),
    [
      "cloudwatch.firing HIGH | shop-5xx | Customers see errors.",
      { ...OPENS, data: { "dimensions.QueueName": "orders", "trigger.Metrics.0.Expression": "m1/m2" } },
    ],
  ],
  "a composite alarm": [
    alarm("ALARM", {
      Trigger: undefined,
      AlarmRule: "ALARM(shop-5xx) OR ALARM(shop-slow)",
      TriggeringChildren: [
        { Arn: `${ARN}shop-a`, State: { Value: "ALARM", Timestamp: FIRED } },
        { Arn: `${ARN}shop-b`, State: { Value: "ALARM", Timestamp: FIRED } },
      ],
    }),
    [
      "cloudwatch.firing HIGH | shop-5xx | Customers see errors.",
      { ...OPENS, data: { rule: "ALARM(shop-5xx) OR ALARM(shop-slow)", children: "shop-a, shop-b" } },
    ],
  ],
  "EventBridge's alarm by raw delivery": [
    alarmEvent("ALARM"),
    [
      "cloudwatch.firing HIGH | shop-5xx | Customers see errors.",
      { ...OPENS, data: { "dimensions.ApiName": "shop", account: "111122223333", region: "eu-west-1" } },
    ],
  ],
  "EventBridge's alarm by a topic": [
    snsEnvelope(alarmEvent("ALARM")),
    ["cloudwatch.firing HIGH | shop-5xx | Customers see errors.", OPENS],
  ],
  "an alarm from EventBridge that has ended": [
    alarmEvent("OK"),
    ["cloudwatch.resolved LOW | Resolved: shop-5xx | Customers see errors.", ENDS],
  ],
  "EventBridge's alarm without data": [
    alarmEvent("INSUFFICIENT_DATA"),
    ["cloudwatch.info NORMAL | No data: shop-5xx | Customers see errors.", { links: consoleLink("shop-5xx") }],
  ],
  "EventBridge's composite alarm": [
    alarmEvent("ALARM", JSON.stringify({ triggeringAlarms: [{ arn: `${ARN}shop-a`, state: { value: "ALARM" } }] })),
    ["cloudwatch.firing HIGH | shop-5xx | Customers see errors.", { ...OPENS, data: { children: "shop-a" } }],
  ],
  "an alarm whose configuration somebody changes": [
    eventBridgeEvent("CloudWatch Alarm Configuration Change", "aws.cloudwatch", {
      alarmName: "shop-5xx",
      operation: "update",
      state: { value: "ALARM" },
    }),
    [
      "cloudwatch.info NORMAL | CloudWatch Alarm Configuration Change | alarmName: shop-5xx\noperation: update",
      { data: { "detail.state.value": "ALARM" } },
    ],
  ],
  "a finding of GuardDuty by raw delivery": [
    guardDuty,
    [
      "cloudwatch.info NORMAL | i-1 is performing SSH brute force attacks. | i-1 attacks 203.0.113.7.",
      { data: { "detail.severity": 8, source: "aws.guardduty", "detail-type": "GuardDuty Finding" } },
    ],
  ],
  "a finding of GuardDuty by a topic": [
    snsEnvelope(guardDuty),
    [
      "cloudwatch.info NORMAL | i-1 is performing SSH brute force attacks. | i-1 attacks 203.0.113.7.",
      { data: { topic: TOPIC, "detail.severity": 8, "detail.type": "UnauthorizedAccess:EC2/SSHBruteForce" } },
    ],
  ],
  "an event of Health": [
    snsEnvelope(
      eventBridgeEvent("AWS Health Event", "aws.health", {
        service: "EC2",
        eventTypeCode: "AWS_EC2_OPERATIONAL_ISSUE",
        eventTypeCategory: "issue",
        eventDescription: [{ language: "en_US", latestDescription: "Some instances are unreachable." }],
      }),
    ),
    [
      "cloudwatch.info NORMAL | AWS Health Event | Some instances are unreachable.",
      { data: { "detail.service": "EC2", "detail.eventTypeCategory": "issue" } },
    ],
  ],
  "a task of ECS that has stopped": [
    snsEnvelope(
      eventBridgeEvent("ECS Task State Change", "aws.ecs", {
        lastStatus: "STOPPED",
        stoppedReason: "Essential container in task exited",
        containers: [{ name: "web", exitCode: 137 }],
      }),
    ),
    [
      "cloudwatch.info NORMAL | ECS Task State Change | Essential container in task exited",
      { data: { "detail.containers.0.exitCode": 137, "detail.lastStatus": "STOPPED" } },
    ],
  ],
  "a deployment of ECS that has failed": [
    eventBridgeEvent("ECS Deployment State Change", "aws.ecs", {
      eventType: "ERROR",
      eventName: "SERVICE_DEPLOYMENT_FAILED",
      reason: "ECS deployment circuit breaker: tasks failed to start.",
    }),
    [
      "cloudwatch.info NORMAL | ECS Deployment State Change | ECS deployment circuit breaker: tasks failed to start.",
      { data: { "detail.eventName": "SERVICE_DEPLOYMENT_FAILED" } },
    ],
  ],
  "a finding of Security Hub": [
    eventBridgeEvent("Security Hub Findings - Imported", "aws.securityhub", {
      findings: [{ Title: "S3.1 is off", Description: "Buckets may be public.", Severity: { Label: "HIGH" } }],
    }),
    [
      "cloudwatch.info NORMAL | S3.1 is off | Buckets may be public.",
      { data: { "detail.findings.0.Severity.Label": "HIGH" } },
    ],
  ],
  "an event without a text": [
    eventBridgeEvent("EC2 Instance State-change Notification", "aws.ec2", {
      "instance-id": "i-1",
      state: "terminated",
    }),
    [
      "cloudwatch.info NORMAL | EC2 Instance State-change Notification | instance-id: i-1\nstate: terminated",
      { data: { "detail.instance-id": "i-1" } },
    ],
  ],
  "an event of RDS by raw delivery": [rds, failover],
  "an event of RDS by a topic": [snsEnvelope(rds, "RDS Notification Message"), failover],
  "a notification of Budgets": [
    snsEnvelope(BUDGET, "AWS Budgets: shop has exceeded your alert threshold"),
    [
      `cloudwatch.info NORMAL | AWS Budgets: shop has exceeded your alert threshold | ${BUDGET}`,
      { data: { topic: TOPIC } },
    ],
  ],
  "a notification of Budgets without a subject": [
    { Message: BUDGET },
    [`cloudwatch.info NORMAL | AWS Budget Notification November 21, 2026 | ${BUDGET}`],
  ],
  "an activity of Auto Scaling": [
    snsEnvelope(
      { Event: "autoscaling:EC2_INSTANCE_LAUNCH_ERROR", Cause: "No capacity.", AutoScalingGroupName: "web" },
      'Auto Scaling: launch failed for group "web"',
    ),
    [
      `cloudwatch.info NORMAL | Auto Scaling: launch failed for group "web" | No capacity.`,
      { data: { AutoScalingGroupName: "web" } },
    ],
  ],
  "a message in the format of Amazon Q in chat applications": [
    snsEnvelope({
      version: "1.0",
      source: "custom",
      content: { title: "Import stopped", description: "File 7 is bad." },
    }),
    ["cloudwatch.info NORMAL | Import stopped | File 7 is bad.", { data: { source: "custom" } }],
  ],
  "JSON in a customer's own format": [
    snsEnvelope({ order: 4711, note: "late" }),
    [`cloudwatch.info NORMAL | Message of an SNS topic | {"order":4711,"note":"late"}`, { data: { order: 4711 } }],
  ],
  "JSON in a customer's own format, without an envelope": [{ order: 4711 }, REFUSED],
});

const issue = (fields: object = {}) => ({
  id: "5001",
  shortId: "SHOP-1",
  title: "TypeError: total is undefined",
  culprit: "cart.ts in total",
  level: "error",
  metadata: { type: "TypeError", value: "total is undefined" },
  permalink: "https://acme.sentry.io/issues/5001/",
  project: { id: "1", slug: "shop" },
  ...fields,
});
const occurrence = (fields: object = {}) => ({
  event_id: "ab12",
  issue_id: "5001",
  title: "TypeError: total is undefined",
  message: "",
  culprit: "cart.ts in total",
  level: "fatal",
  metadata: { type: "TypeError", value: "total is undefined" },
  url: "https://sentry.io/api/0/projects/acme/shop/events/ab12/",
  web_url: "https://sentry.io/organizations/acme/issues/5001/events/ab12/",
  issue_url: "https://sentry.io/api/0/issues/5001/",
  ...fields,
});
const metric = (action: string) => ({
  action,
  data: {
    metric_alert: { id: "31", title: "Too many errors", alert_rule: { name: "Errors" }, projects: ["shop", "web"] },
    description_title: `${action === "resolved" ? "Resolved" : action === "critical" ? "Critical" : "Warning"}: Too many errors`,
    description_text: "120 events in the last 5 minutes",
    web_url: "https://acme.sentry.io/alerts/31/",
  },
});
const METRIC = {
  links: { Alert: "https://acme.sentry.io/alerts/31/" },
  data: { project: "shop, web", rule: "Errors" },
};
const ISSUE = { Issue: "https://acme.sentry.io/issues/5001/" };

testMessages("sentry", {
  "null, which is refused": [null, REFUSED],
  "a text, which is refused": ["project", REFUSED],
  "a message with an action and a project": [
    { action: "created", project: "shop", event: {}, data: { issue: issue({ project: undefined }) } },
    [
      "sentry.firing HIGH | TypeError: total is undefined | total is undefined",
      { opens: "sentry:issue:5001", links: ISSUE },
    ],
  ],
  "a new issue": [
    { action: "created", data: { issue: issue() } },
    [
      "sentry.firing HIGH | TypeError: total is undefined | total is undefined",
      { opens: "sentry:issue:5001", links: ISSUE, data: { project: "shop", issue: "SHOP-1" } },
    ],
  ],
  "an issue that is resolved": [
    { action: "resolved", data: { issue: issue() } },
    [
      "sentry.resolved LOW | Resolved: TypeError: total is undefined | total is undefined",
      { ends: "sentry:issue:5001", links: ISSUE },
    ],
  ],
  "an issue that is archived": [
    { action: "archived", data: { issue: issue() } },
    [
      "sentry.resolved LOW | Resolved: TypeError: total is undefined | total is undefined",
      { ends: "sentry:issue:5001", links: ISSUE },
    ],
  ],
  "an issue that is assigned": [
    { action: "assigned", data: { issue: issue({ level: "fatal" }) } },
    ["sentry.info LOW | TypeError: total is undefined | total is undefined", { links: ISSUE }],
  ],
  "an alert on an issue, without a message": [
    { action: "triggered", data: { event: occurrence(), triggered_rule: "Anything fatal" } },
    [
      "sentry.firing URGENT | TypeError: total is undefined | total is undefined",
      {
        opens: "sentry:issue:5001",
        links: { Event: "https://sentry.io/organizations/acme/issues/5001/events/ab12/" },
        data: { project: "shop", rule: "Anything fatal" },
      },
    ],
  ],
  "an error with a message": [
    { action: "created", data: { error: occurrence({ message: "No total", level: "warning" }) } },
    [
      "sentry.firing NORMAL | TypeError: total is undefined | No total",
      {
        opens: "sentry:issue:5001",
        links: { Event: "https://sentry.io/organizations/acme/issues/5001/events/ab12/" },
      },
    ],
  ],
  "a metric alert's warning": [
    metric("warning"),
    [
      "sentry.firing NORMAL | Warning: Too many errors | 120 events in the last 5 minutes",
      { opens: "sentry:metric:31", ...METRIC },
    ],
  ],
  "the same metric alert with the state critical": [
    metric("critical"),
    [
      "sentry.firing URGENT | Critical: Too many errors | 120 events in the last 5 minutes",
      { opens: "sentry:metric:31", ...METRIC },
    ],
  ],
  "the end of a metric alert, whose title says so": [
    metric("resolved"),
    [
      "sentry.resolved LOW | Resolved: Too many errors | 120 events in the last 5 minutes",
      { ends: "sentry:metric:31", ...METRIC },
    ],
  ],
  "a comment": [
    { action: "created", data: { comment_id: "9", issue_id: "5001", comment: "Mine.", project_slug: "shop" } },
  ],
  "a comment that is edited": [{ action: "updated", data: { comment_id: "9", issue_id: "5001", comment: "Ours." } }],
  "an installation": [{ action: "created", data: { installation: { uuid: "i", status: "installed" } } }],
  "an alert of the older plugin": [
    {
      id: "5001",
      project: "shop",
      project_name: "Shop",
      project_slug: "shop",
      culprit: "cart.ts in total",
      level: "error",
      url: "https://sentry.example/acme/shop/issues/5001/",
      message: "total is undefined",
      triggering_rules: ["New issues", "Fatal"],
      event: { event_id: "ab12", title: "TypeError: total is undefined", metadata: { value: "total of cart" } },
    },
    [
      "sentry.firing HIGH | TypeError: total is undefined | total of cart",
      {
        opens: "sentry:issue:5001",
        links: { Issue: "https://sentry.example/acme/shop/issues/5001/" },
        data: { project: "shop", rule: "New issues, Fatal" },
      },
    ],
  ],
  "an alert of the older plugin with fewer fields": [
    { id: "5001", project: "shop", level: "warning", message: "total is undefined", event: {} },
    ["sentry.firing NORMAL | total is undefined | total is undefined", { opens: "sentry:issue:5001" }],
  ],
  "an issue with a custom level": [
    { action: "created", data: { issue: issue({ level: "sampling" }) } },
    [
      "sentry.firing NORMAL | TypeError: total is undefined | total is undefined",
      {
        opens: "sentry:issue:5001",
        links: ISSUE,
        warned: ["priority is NORMAL: sampling is not a known severity."],
      },
    ],
  ],
});

const repository = { full_name: "acme/shop", html_url: "https://github.com/acme/shop" };
const workflowRun = (conclusion: string | null, fields: object = {}, action = "completed") => ({
  action,
  repository,
  workflow_run: {
    id: 1,
    name: "CI",
    workflow_id: 77,
    head_branch: "main",
    head_sha: "c0ffee",
    conclusion,
    html_url: "https://github.com/acme/shop/actions/runs/1",
    head_repository: { full_name: "acme/shop" },
    ...fields,
  },
});
const checkRun = (conclusion: string | null, branch: string | null, fields: object = {}, action = "completed") => ({
  action,
  repository,
  check_run: {
    id: 2,
    name: "build",
    head_sha: "c0ffee",
    conclusion,
    html_url: "https://github.com/acme/shop/runs/2",
    check_suite: { head_branch: branch },
    app: { slug: "circleci" },
    ...fields,
  },
});
const deployment = (state: string, fields: object = {}) => ({
  action: "created",
  repository,
  deployment: { environment: "live", ref: "v7" },
  deployment_status: { id: 3, state, environment: "live", description: "", target_url: "", ...fields },
});
const RUN = { Run: "https://github.com/acme/shop/actions/runs/1" };
const CHECK = { Run: "https://github.com/acme/shop/runs/2" };
const securityAlert = (action: string, fields: object) => ({
  action,
  repository,
  alert: { number: 4, state: "open", html_url: "https://github.com/acme/shop/security/4", ...fields },
});
const SECURITY = { Alert: "https://github.com/acme/shop/security/4" };

testMessages("github", {
  "a workflow that fails on main": [
    workflowRun("failure"),
    [
      "github.firing HIGH | acme/shop: CI failed | CI on main: failure",
      { opens: "github:workflow:acme/shop:77:main", links: RUN, data: { branch: "main", commit: "c0ffee" } },
    ],
  ],
  "a workflow that succeeds on another branch": [
    workflowRun("success", { head_branch: "feature/x" }),
    [
      "github.resolved LOW | acme/shop: CI succeeded | CI on feature/x: success",
      { ends: "github:workflow:acme/shop:77:feature/x", links: RUN },
    ],
  ],
  "a workflow that succeeds on the main branch of a fork": [
    workflowRun("success", { head_repository: { full_name: "eve/shop" } }),
    [
      "github.resolved LOW | acme/shop: CI succeeded | CI on main: success",
      { ends: "github:workflow:acme/shop:77:eve/shop:main", links: RUN },
    ],
  ],
  "a workflow that waits for an approval": [workflowRun("action_required")],
  "a requested workflow": [workflowRun(null, {}, "requested")],
  "a requested workflow that waits for an approval": [workflowRun("action_required", {}, "requested")],
  "a workflow that is cancelled": [workflowRun("cancelled")],
  "a check that fails on main": [
    checkRun("failure", "main"),
    [
      "github.firing HIGH | acme/shop: build failed | build on main: failure",
      {
        opens: "github:check:acme/shop:circleci:build:main",
        links: CHECK,
        data: { branch: "main", app: "circleci", kind: "check" },
      },
    ],
  ],
  "the check that succeeds on another branch": [
    checkRun("success", "feature/x"),
    [
      "github.resolved LOW | acme/shop: build succeeded | build on feature/x: success",
      { ends: "github:check:acme/shop:circleci:build:feature/x", links: CHECK, data: { branch: "feature/x" } },
    ],
  ],
  "a check of the same name by another app": [
    checkRun("failure", "main", { app: { slug: "jenkins" } }),
    [
      "github.firing HIGH | acme/shop: build failed | build on main: failure",
      { opens: "github:check:acme/shop:jenkins:build:main", links: CHECK },
    ],
  ],
  "a check of a commit that is on no branch of the repository": [
    checkRun("failure", null),
    [
      "github.firing HIGH | acme/shop: build failed | build on a commit: failure",
      { opens: "github:check:acme/shop:circleci:build:c0ffee", links: CHECK },
    ],
  ],
  "a job of GitHub Actions, whose workflow run is sent, too": [
    checkRun("failure", "main", { app: { slug: "github-actions" } }),
  ],
  "a check that somebody requests again": [checkRun("failure", "main", {}, "rerequested")],
  "a button of a check that somebody presses": [checkRun("failure", "main", {}, "requested_action")],
  "a failed deployment, with the workflow run that started it": [
    { ...workflowRun("success"), ...deployment("failure", { log_url: "https://deploy.example/7" }) },
    [
      "github.firing HIGH | acme/shop: deployment to live failed | Deployment to live: failure",
      {
        opens: "github:deployment:acme/shop:live",
        links: { Log: "https://deploy.example/7", Repository: "https://github.com/acme/shop" },
        data: { ref: "v7", environment: "live" },
      },
    ],
  ],
  "a deployment that succeeds": [
    deployment("success", { environment_url: "https://shop.example" }),
    [
      "github.resolved LOW | acme/shop: deployment to live succeeded | Deployment to live: success",
      {
        ends: "github:deployment:acme/shop:live",
        links: { Environment: "https://shop.example", Repository: "https://github.com/acme/shop" },
      },
    ],
  ],
  "a deployment that waits": [deployment("waiting")],
  "a deployment that another has replaced": [deployment("inactive")],
  "an alert of Dependabot": [
    securityAlert("created", {
      security_advisory: { summary: "ReDoS in x", description: "Slow.", severity: "critical" },
    }),
    [
      "github.firing URGENT | acme/shop: ReDoS in x | Slow.",
      {
        opens: "github:alert:https://github.com/acme/shop/security/4",
        links: SECURITY,
        data: { severity: "critical" },
      },
    ],
  ],
  "an alert of code scanning without a security level": [
    securityAlert("created", { rule: { description: "Unused", severity: "note", security_severity_level: null } }),
    [
      "github.firing LOW | acme/shop: Unused | Unused",
      { opens: "github:alert:https://github.com/acme/shop/security/4", links: SECURITY, data: { severity: "note" } },
    ],
  ],
  "an alert of secret scanning that has ended": [
    securityAlert("resolved", { secret_type_display_name: "A token" }),
    [
      "github.resolved LOW | Resolved: acme/shop: A token | A token",
      { ends: "github:alert:https://github.com/acme/shop/security/4", links: SECURITY },
    ],
  ],
  "an alert that is assigned to somebody": [securityAlert("assigned", { secret_type_display_name: "A token" })],
  "the ping": [
    { zen: "Keep it logically awesome.", hook_id: 1, repository },
    [
      "github.test LOW | acme/shop: GitHub says hello | Keep it logically awesome.",
      { links: { Repository: "https://github.com/acme/shop" } },
    ],
  ],
  "a pull request": [{ action: "opened", pull_request: {}, repository }],
});

const kumaMessage = (status: number, msg: string, monitor: object = {}) => ({
  heartbeat: { monitorID: 1, status, time: "2026-11-21 10:00:00.000", msg, important: true },
  monitor: { id: 1, name: "Shop", url: "https://shop.example", hostname: null, port: null, type: "http", ...monitor },
  msg: `[Shop] ${msg}`,
});
const SHOP = { Monitor: "https://shop.example" };

testMessages("uptime-kuma", {
  "invalid tags, and an http URL": [
    kumaMessage(0, "", { tags: ["x", { name: "prod" }], url: "http://" }),
    ["uptime_kuma.firing HIGH | Shop is down | [Shop] ", { opens: "uptime-kuma:monitor:1", data: { tags: "prod" } }],
  ],
  "a text about testing that is not a test message": [
    { msg: "Testing the backup has failed", heartbeat: null, monitor: null },
    ["uptime_kuma.info NORMAL | Testing the backup has failed | Testing the backup has failed"],
  ],
  "a monitor that is down": [
    kumaMessage(0, "connect ECONNREFUSED", { tags: [{ name: "prod" }, { name: "team", value: "web" }] }),
    [
      "uptime_kuma.firing HIGH | Shop is down | connect ECONNREFUSED",
      { opens: "uptime-kuma:monitor:1", links: SHOP, data: { tags: "prod, team=web" } },
    ],
  ],
  "a monitor that is up again": [
    kumaMessage(1, "200 - OK"),
    ["uptime_kuma.resolved LOW | Shop is up again | 200 - OK", { ends: "uptime-kuma:monitor:1", links: SHOP }],
  ],
  "a monitor that is tried again": [
    kumaMessage(2, "timeout"),
    ["uptime_kuma.info LOW | Shop is pending | timeout", { links: SHOP }],
  ],
  "a monitor under maintenance": [
    kumaMessage(3, "Monitor under maintenance"),
    ["uptime_kuma.info LOW | Shop is under maintenance | Monitor under maintenance", { links: SHOP }],
  ],
  "an unknown status": [kumaMessage(9, "odd"), ["uptime_kuma.info LOW | Shop has the status 9 | odd", { links: SHOP }]],
  "a monitor without a URL": [
    kumaMessage(0, "No heartbeat in the time window", { type: "push", url: "https://" }),
    [
      "uptime_kuma.firing HIGH | Shop is down | No heartbeat in the time window",
      { opens: "uptime-kuma:monitor:1", data: { type: "push" } },
    ],
  ],
  "a heartbeat without its monitor": [
    { ...kumaMessage(0, "down"), monitor: null },
    ["uptime_kuma.firing HIGH | Uptime Kuma is down | down", { opens: "uptime-kuma:monitor:1" }],
  ],
  "a certificate that is about to expire": [
    {
      heartbeat: null,
      monitor: null,
      msg: "[Shop][https://shop.example] server certificate shop will expire in 7 days",
    },
    [
      "uptime_kuma.info NORMAL | [Shop][https://shop.example] server certificate shop will expire in 7 days | [Shop][https://shop.example] server certificate shop will expire in 7 days",
    ],
  ],
  "the test button": [
    { heartbeat: null, monitor: null, msg: "Alerts of ours Testing" },
    ["uptime_kuma.test LOW | Alerts of ours Testing | Alerts of ours Testing"],
  ],
});

const createRequest = (fields: object = {}) => ({
  message: "Disk full",
  alias: "disk",
  description: "2 % left",
  ...fields,
});
const webhook = (action: string, fields: object = {}) => ({
  action,
  alert: { alertId: "a-1", alias: "disk", message: "Disk full", tags: ["db"], priority: "P2", ...fields },
  source: { name: "", type: "web" },
  integrationName: "Out",
});

testMessages("opsgenie", {
  "an alert whose source contains only an address": [
    createRequest({ source: "see http://am.example", details: { runbook: "https://wiki.example/r" }, responders: [5] }),
    [
      "opsgenie.firing NORMAL | Disk full | 2 % left",
      { opens: "opsgenie:disk", links: { Runbook: "https://wiki.example/r" } },
    ],
  ],
  "a webhook about an alert without a text": [
    {
      action: "Create",
      alert: { alertId: "a-1", message: "", details: { Runbook: "https://wiki.example/R" } },
      identifier: "i",
    },
    ["opsgenie.firing NORMAL | i | i", { opens: "opsgenie:i", links: { Runbook: "https://wiki.example/R" } }],
  ],
  "a request that creates an alert": [
    createRequest({ priority: "P1", details: { runbook_url: "https://wiki.example/disk" } }),
    [
      "opsgenie.firing URGENT | Disk full | 2 % left",
      { opens: "opsgenie:disk", links: { Runbook: "https://wiki.example/disk" } },
    ],
  ],
  "a request of Alertmanager's receiver, whose source is a URL": [
    createRequest({ source: "http://am.example/#/alerts", note: "n", details: { payload: '{"cpu": 98}' } }),
    [
      "opsgenie.firing NORMAL | Disk full | 2 % left",
      {
        opens: "opsgenie:disk",
        links: { Source: "http://am.example/#/alerts" },
        data: { note: "n", "details.payload.cpu": 98 },
      },
    ],
  ],
  "an unknown priority": [
    createRequest({ priority: "Hot" }),
    [
      "opsgenie.firing NORMAL | Disk full | 2 % left",
      { opens: "opsgenie:disk", warned: ["priority is NORMAL: Hot is not a known severity."] },
    ],
  ],
  "a request that closes an alert by its alias": [
    { alias: "disk", action: "close", user: "job" },
    ["opsgenie.resolved LOW | Resolved: disk | disk", { ends: "opsgenie:disk", data: { user: "job" } }],
  ],
  "a request that closes an alert with a note": [
    { alias: "disk", action: "close", note: "Room again." },
    ["opsgenie.resolved LOW | Resolved: disk | Room again.", { ends: "opsgenie:disk" }],
  ],
  "a request that deletes an alert": [
    { alias: "disk", action: "delete" },
    ["opsgenie.resolved LOW | Resolved: disk | disk", { ends: "opsgenie:disk" }],
  ],
  "a webhook about a new alert": [
    webhook("Create"),
    ["opsgenie.firing HIGH | Disk full | Disk full", { opens: "opsgenie:disk", data: { tags: "db" } }],
  ],
  "a webhook about an alert that is closed": [
    webhook("Close"),
    ["opsgenie.resolved LOW | Resolved: Disk full | Disk full", { ends: "opsgenie:disk" }],
  ],
  "a webhook about an alert that is deleted": [
    webhook("Delete"),
    ["opsgenie.resolved LOW | Resolved: Disk full | Disk full", { ends: "opsgenie:disk" }],
  ],
  "a webhook about an acknowledgement": [webhook("Acknowledge")],
  "a webhook about a note": [webhook("AddNote")],
  "a webhook about an owner": [webhook("AssignOwnership")],
  "a request that acknowledges an alert": [{ alias: "disk", action: "acknowledge" }, REFUSED],
});

const trigger = (payload: object = {}, fields: object = {}) => ({
  event_action: "trigger",
  dedup_key: "k1",
  payload: { summary: "Disk full on db-1", source: "db-1", severity: "critical", ...payload },
  ...fields,
});
const pages = "URGENT | Disk full on db-1 | Disk full on db-1";

testMessages("pagerduty", {
  "an image without a text": [
    trigger({}, { images: [{ src: "https://graphs.example/a.png" }] }),
    [`pagerduty.firing ${pages}`, { opens: "pagerduty:k1", links: { Image: "https://graphs.example/a.png" } }],
  ],
  "a critical trigger": [trigger(), [`pagerduty.firing ${pages}`, { opens: "pagerduty:k1", data: { source: "db-1" } }]],
  "a warning with the same key": [
    trigger({ severity: "warning" }),
    ["pagerduty.firing NORMAL | Disk full on db-1 | Disk full on db-1", { opens: "pagerduty:k1" }],
  ],
  "links that include a runbook": [
    trigger(
      {},
      {
        client: "Monit",
        client_url: "https://monit.example",
        links: [
          { href: "https://graphs.example", text: "Graph" },
          { href: "https://wiki.example/disk", text: "The runbook" },
          { href: "https://a.example" },
          { href: "https://b.example" },
        ],
        images: [{ src: "https://graphs.example/disk.png", alt: "Disk" }],
      },
    ),
    [
      `pagerduty.firing ${pages}`,
      {
        opens: "pagerduty:k1",
        links: {
          "The runbook": "https://wiki.example/disk",
          Monit: "https://monit.example",
          Graph: "https://graphs.example",
          Link: "https://a.example",
          "Link 2": "https://b.example",
          Disk: "https://graphs.example/disk.png",
        },
      },
    ],
  ],
  "a relative client URL, and a runbook in the details": [
    trigger({ custom_details: { runbook: "https://wiki.example/disk" } }, { client_url: "/alerts" }),
    [
      `pagerduty.firing ${pages}`,
      {
        opens: "pagerduty:k1",
        links: { Runbook: "https://wiki.example/disk" },
        warned: ["data.links.Client was dropped: it is not an http or https URL of at most 2048 characters."],
      },
    ],
  ],
  "details as JSON in a text": [
    trigger({ custom_details: '{"load": 9.5, "tags": ["db"]}' }),
    [`pagerduty.firing ${pages}`, { opens: "pagerduty:k1", data: { "details.load": 9.5, "details.tags.0": "db" } }],
  ],
  "details as a text": [
    trigger({ custom_details: "load is 9.5" }),
    [`pagerduty.firing ${pages}`, { opens: "pagerduty:k1", data: { details: "load is 9.5" } }],
  ],
  "an unknown severity": [
    trigger({ severity: "bad" }),
    [
      "pagerduty.firing NORMAL | Disk full on db-1 | Disk full on db-1",
      { opens: "pagerduty:k1", warned: ["priority is NORMAL: bad is not a known severity."] },
    ],
  ],
  "a summary of two lines": [
    trigger({ summary: "Disk full\r\non db-1" }),
    ["pagerduty.firing URGENT | Disk full on db-1 | Disk full\r\non db-1", { opens: "pagerduty:k1" }],
  ],
  "a resolution": [
    { event_action: "resolve", dedup_key: "k1" },
    ["pagerduty.resolved LOW | Resolved: k1 | Resolved: k1", { ends: "pagerduty:k1" }],
  ],
  "a resolution whose summary says so": [
    { event_action: "resolve", dedup_key: "k1", payload: { summary: "[RESOLVED] Disk full" } },
    ["pagerduty.resolved LOW | [RESOLVED] Disk full | [RESOLVED] Disk full", { ends: "pagerduty:k1" }],
  ],
  "an acknowledgement by a program": [{ event_action: "acknowledge", dedup_key: "k1" }, REFUSED],
});

/** The last column says whether the end of an alert has no title of its own, and takes the title of the ended event. */
it.each([
  ["opsgenie", "end of an alert without a message is untitled", { alias: "disk", action: "close" }, true],
  [
    "opsgenie",
    "end of an alert with a message is not untitled",
    { alias: "disk", message: "Disk full", action: "close" },
    false,
  ],
  ["opsgenie", "start of an alert with a message is not untitled", { alias: "disk", message: "Disk full" }, false],
  [
    "opsgenie",
    "start of an alert without a message is not untitled",
    { action: "Create", alert: { alias: "a" } },
    false,
  ],
  ["pagerduty", "end of an alert without a summary is untitled", { event_action: "resolve", dedup_key: "k" }, true],
  [
    "pagerduty",
    "end of an alert with a summary is not untitled",
    { event_action: "resolve", dedup_key: "k", payload: { summary: "Disk full" } },
    false,
  ],
  ["pagerduty", "start of an alert with a summary is not untitled", trigger(), false],
] as const)("an event from %s about the %s", (source, _what, payload, untitled) => {
  const drafts = v.parse(sources[source].adapter, payload);

  expect(drafts.map((draft) => fitDraft(source, draft).untitled)).toEqual([untitled]);
});

it("a successful GitHub check also ends an alert that an earlier version of the service stored by check name and branch", () => {
  const formerKeyOf = (payload: object) =>
    v.parse(sources.github.adapter, payload).map((draft) => fitDraft("github", draft).formerKey);

  expect(formerKeyOf(checkRun("success", "main"))).toEqual(["github:check:acme/shop:build:"]);
  expect(formerKeyOf(checkRun("success", "main", { head_branch: "x" }))).toEqual(["github:check:acme/shop:build:x"]);
  expect(formerKeyOf(checkRun("failure", "main"))).toEqual([undefined]);
  expect(formerKeyOf(workflowRun("success"))).toEqual([undefined]);
});
