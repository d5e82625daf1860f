/** Payloads from each tool's own documentation: one that fires, one that resolves, and one of its test button. */
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
const createGroup = (status: string, alerts: object[]) => ({
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
const createGrafanaGroup = (status: string, one: object) => ({
  ...createGroup(status, [
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

const createAlarm = (state: string) => ({
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

const createIssue = (action: string) => ({
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
const createRun = (id: number, conclusion: string) => ({
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

const createHeartbeat = (status: number) => ({
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

const createPipeline = (id: number, status: string) => ({
  object_kind: "pipeline",
  object_attributes: {
    id,
    ref: "main",
    source: "push",
    status,
    finished_at: "2026-11-21 12:00:00 UTC",
    url: `https://gitlab.example/acme/shop/-/pipelines/${id}`,
  },
  project: { id: 15, path_with_namespace: "acme/shop", web_url: "https://gitlab.example/acme/shop" },
  commit: { id: "bcbb5ec3", title: "Round prices up" },
  builds: [{ id: 380, name: "test", status, allow_failure: false }],
});

const createProblem = (value: string) => ({
  event_id: "1507",
  event_source: "0",
  event_value: value,
  event_update_status: "0",
  event_name: "No space on /var",
  event_nseverity: "5",
  event_tags: '[{"tag":"scope","value":"capacity"}]',
  trigger_id: "42",
  host_name: "db-1",
  zabbix_url: "https://zabbix.example",
  alert_message: "2 % are left.",
});

const createMonitor = (id: string, transition: string) => ({
  id,
  title: `[P1] [${transition} on {host:db-1}] CPU is high`,
  text: "CPU is above 90 %.",
  alert_id: "9876",
  alert_transition: transition,
  alert_priority: "P1",
  alert_scope: "host:db-1",
  link: "https://app.datadoghq.com/event/event?id=7001",
  date: "1795262400000",
});

const createCommonAlert = (monitorCondition: string, times: object) => ({
  schemaId: "azureMonitorCommonAlertSchema",
  data: {
    essentials: {
      alertId: "/subscriptions/1/providers/Microsoft.AlertsManagement/alerts/b9569717",
      alertRule: "CPU above 90",
      severity: "Sev1",
      signalType: "Metric",
      monitorCondition,
      alertTargetIDs: ["/subscriptions/1/resourcegroups/shop/providers/microsoft.compute/virtualmachines/db-1"],
      description: "The virtual machine is busy.",
      firedDateTime: "2026-11-21T12:00:00.1234567Z",
      ...times,
    },
    alertContext: { condition: { allOf: [{ metricName: "Percentage CPU", metricValue: 97, threshold: "90" }] } },
  },
});

const createIncident = (state: string, more: object = {}) => ({
  version: "1.2",
  incident: {
    incident_id: "0.mjn5y0",
    state,
    started_at: 1_795_262_400,
    ended_at: null,
    summary: "CPU of db-1 is above 0.9.",
    url: "https://console.cloud.google.com/monitoring/alerting/incidents/0.mjn5y0",
    policy_name: "CPU",
    severity: "Critical",
    documentation: { content: "Restart it.", links: [{ displayName: "Runbook", url: "https://runbooks.example/cpu" }] },
    ...more,
  },
});

export const sourcePayloads: Readonly<Record<string, Payloads>> = {
  alertmanager: { firing: createGroup("firing", [firing]), resolved: createGroup("resolved", [resolved]) },
  grafana: {
    firing: createGrafanaGroup("firing", firing),
    resolved: createGrafanaGroup("resolved", resolved),
    test: createGrafanaGroup("firing", {
      ...firing,
      labels: { alertname: "TestAlert", instance: "Grafana" },
      annotations: { summary: "Notification test" },
      fingerprint: "57c6d9296de2ad39",
    }),
  },
  cloudwatch: { firing: createAlarm("ALARM"), resolved: createAlarm("OK") },
  sentry: { firing: createIssue("created"), resolved: createIssue("resolved") },
  github: {
    firing: createRun(289782451, "failure"),
    resolved: createRun(289782452, "success"),
    test: { zen: "Keep it logically awesome.", hook_id: 1, hook: { type: "Repository", active: true }, repository },
  },
  "uptime-kuma": {
    firing: createHeartbeat(0),
    resolved: createHeartbeat(1),
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
  gitlab: { firing: createPipeline(31, "failed"), resolved: createPipeline(32, "success") },
  zabbix: {
    firing: createProblem("1"),
    resolved: createProblem("0"),
    test: { event_id: "{EVENT.ID}", event_value: "{EVENT.VALUE}", event_name: "{EVENT.NAME}" },
  },
  datadog: {
    firing: createMonitor("7001", "Triggered"),
    resolved: createMonitor("7002", "Recovered"),
    test: { ...createMonitor("7003", "Triggered"), title: "[TEST] [P1] [Triggered on {host:db-1}] CPU is high" },
  },
  "azure-monitor": {
    firing: createCommonAlert("Fired", {}),
    resolved: createCommonAlert("Resolved", { resolvedDateTime: "2026-11-21T12:10:00.7654321Z" }),
  },
  "google-cloud-monitoring": {
    firing: createIncident("open"),
    resolved: createIncident("closed", { ended_at: 1_795_263_000 }),
    test: {
      ...createIncident("OPEN", { incident_id: "12345", started_at: 0, summary: "Test Incident" }),
      version: "test",
    },
  },
};
