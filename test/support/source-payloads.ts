/** Payloads from each tool's own documentation: one that fires, one that resolves, and its test button's. */
type Payloads = { firing: object; resolved: object; test?: object };

const alert = {
  labels: { alertname: "HighCpu", instance: "db-1:9100", job: "node", severity: "critical" },
  annotations: {
    summary: "CPU of db-1 at 98 %",
    description: "The CPU has been busy for ten minutes.",
    runbook_url: "https://runbooks.example/cpu",
  },
  startsAt: "2026-11-21T12:00:00.123456789Z",
  generatorURL: "http://prometheus.example:9090/graph?g0.expr=cpu",
  fingerprint: "c4ca4238a0b92382",
};
const group = (status: string, alerts: object[]) => ({
  version: "4",
  groupKey: '{}:{alertname="HighCpu"}',
  truncatedAlerts: 0,
  status,
  receiver: "alerts",
  groupLabels: { alertname: "HighCpu" },
  commonLabels: alert.labels,
  commonAnnotations: alert.annotations,
  externalURL: "http://alertmanager.example:9093",
  alerts,
});
const firing = { ...alert, status: "firing", endsAt: "0001-01-01T00:00:00Z" };
const resolved = { ...alert, status: "resolved", endsAt: "2026-11-21T12:10:00Z" };
const ofGrafana = (status: string, one: object) => ({
  ...group(status, [
    {
      ...one,
      values: { B: 98.2 },
      valueString: "[ var='B' labels={} value=98.2 ]",
      dashboardURL: "https://grafana.example/d/1",
      panelURL: "https://grafana.example/d/1?viewPanel=2",
      silenceURL: "https://grafana.example/alerting/silence/new",
    },
  ]),
  version: "1",
  orgId: 1,
  title: "[FIRING:1] HighCpu",
  state: "alerting",
  message: "**Firing**",
});

const alarm = (state: string) => ({
  AlarmName: "orders-dead-letters",
  AlarmDescription: "Orders lie in the dead-letter queue.",
  AWSAccountId: "123456789012",
  NewStateValue: state,
  NewStateReason: "Threshold Crossed: 1 datapoint [3.0] was greater than the threshold (0.0).",
  StateChangeTime: "2026-11-21T12:00:00.000+0000",
  Region: "EU (Ireland)",
  AlarmArn: "arn:aws:cloudwatch:eu-west-1:123456789012:alarm:orders-dead-letters",
  OldStateValue: "OK",
  Trigger: {
    MetricName: "ApproximateNumberOfMessagesVisible",
    Namespace: "AWS/SQS",
    Threshold: 0,
    Dimensions: [{ name: "QueueName", value: "orders-dlq" }],
  },
});

const issue = (action: string) => ({
  action,
  installation: { uuid: "a8e5d37a" },
  data: {
    issue: {
      id: "1170820242",
      shortId: "SHOP-1",
      title: "TypeError: price is undefined",
      culprit: "app/cart.ts in total",
      level: "error",
      status: action,
      permalink: "https://acme.sentry.io/issues/1170820242/",
      project: { id: "1", name: "shop", slug: "shop", platform: "node" },
    },
  },
  actor: { type: "application", id: "sentry", name: "Sentry" },
});

const repository = { id: 1, full_name: "acme/shop", html_url: "https://github.com/acme/shop" };
const run = (id: number, conclusion: string) => ({
  action: "completed",
  workflow_run: {
    id,
    name: "CI",
    workflow_id: 77,
    run_number: 12,
    run_attempt: 1,
    head_branch: "main",
    head_sha: "acb5820ced9479c074f688cc328bf03f341a511d",
    event: "push",
    status: "completed",
    conclusion,
    html_url: `https://github.com/acme/shop/actions/runs/${id}`,
  },
  repository,
  sender: { login: "octocat" },
});

const heartbeat = (status: number) => ({
  heartbeat: {
    monitorID: 1,
    status,
    time: "2026-11-21 12:00:00.000",
    msg: status === 0 ? "connect ECONNREFUSED" : "200 - OK",
    important: true,
    duration: 20,
    ping: 31,
  },
  monitor: { id: 1, name: "Shop", url: "https://shop.example", hostname: null, port: null, type: "http", interval: 20 },
  msg: "[Shop] [Down] connect ECONNREFUSED",
});

export const sourcePayloads: Readonly<Record<string, Payloads>> = {
  alertmanager: { firing: group("firing", [firing]), resolved: group("resolved", [resolved]) },
  grafana: {
    firing: ofGrafana("firing", firing),
    resolved: ofGrafana("resolved", resolved),
    test: ofGrafana("firing", {
      ...firing,
      labels: { alertname: "TestAlert", instance: "Grafana" },
      annotations: { summary: "Notification test" },
      fingerprint: "57c6d9296de2ad39",
    }),
  },
  cloudwatch: { firing: alarm("ALARM"), resolved: alarm("OK") },
  sentry: { firing: issue("created"), resolved: issue("resolved") },
  github: {
    firing: run(289782451, "failure"),
    resolved: run(289782452, "success"),
    test: { zen: "Keep it logically awesome.", hook_id: 1, hook: { type: "Repository", active: true }, repository },
  },
  "uptime-kuma": {
    firing: heartbeat(0),
    resolved: heartbeat(1),
    test: { heartbeat: null, monitor: null, msg: "My webhook Testing" },
  },
  opsgenie: {
    firing: {
      message: "Disk of db-1 is full",
      alias: "disk-db-1",
      description: "2 % are left.",
      priority: "P1",
      tags: ["db", "disk"],
      details: { host: "db-1" },
      entity: "db-1",
      source: "monit",
    },
    resolved: { alias: "disk-db-1", user: "monit", source: "monit", note: "There is room again." },
  },
  pagerduty: {
    firing: {
      routing_key: "unused",
      event_action: "trigger",
      dedup_key: "samplekeyhere",
      payload: {
        summary: "Example alert on host1.example.com",
        timestamp: "2026-11-21T12:00:00.000+0000",
        source: "monitoringtool:host1",
        severity: "critical",
        component: "postgres",
        group: "prod-datapipe",
        class: "deploy",
        custom_details: { "ping time": "1500ms", load_avg: 0.75 },
      },
      links: [{ href: "https://example.com/", text: "Link text" }],
      client: "Sample Monitoring Service",
      client_url: "https://monitoring.example.com",
    },
    resolved: { routing_key: "unused", event_action: "resolve", dedup_key: "samplekeyhere" },
  },
};
