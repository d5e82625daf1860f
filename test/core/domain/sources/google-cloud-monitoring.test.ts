import { event, testMessages, omitFields } from "./table.ts";

const incident = (fields: object, version = "1.2") => ({
  version,
  incident: {
    incident_id: "0.mjn5y0",
    scoping_project_id: "shop",
    state: "open",
    started_at: 1795262400,
    ended_at: null,
    summary: "CPU of db-1 is above 0.9 with a value of 0.97.",
    url: "https://console.cloud.google.com/monitoring/alerting/incidents/0.mjn5y0",
    policy_name: "CPU is high",
    condition_name: "VM CPU",
    severity: "Critical",
    resource: { type: "gce_instance", labels: { zone: "eu-1" } },
    resource_display_name: "db-1",
    metric: { type: "compute.googleapis.com/instance/cpu", labels: { core: "0" } },
    observed_value: "0.97",
    threshold_value: "0.9",
    ...fields,
  },
});
const pubSubMessage = (text: string, fields: object = {}) => ({
  message: {
    data: Buffer.from(text).toString("base64"),
    messageId: "m-1",
    publishTime: "2026-11-22T10:00:00Z",
    ...fields,
  },
  subscription: "projects/shop/subscriptions/alerts",
});

const fired = event(
  "google_cloud_monitoring.firing URGENT | CPU is high on db-1 | CPU of db-1 is above 0.9 with a value of 0.97.",
  {
    data: {
      "links.Incident": "https://console.cloud.google.com/monitoring/alerting/incidents/0.mjn5y0",
      policy: "CPU is high",
      condition: "VM CPU",
      state: "open",
      severity: "Critical",
      project: "shop",
      resource: "db-1",
      resourceType: "gce_instance",
      metric: "compute.googleapis.com/instance/cpu",
      value: "0.97",
      threshold: "0.9",
      "labels.zone": "eu-1",
      "metricLabels.core": "0",
    },
    url: "https://console.cloud.google.com/monitoring/alerting/incidents/0.mjn5y0",
    dedupeKey: "google-cloud-monitoring:incident:0.mjn5y0",
    changedAt: 1795262400000,
  },
);
const ended = event(
  "google_cloud_monitoring.resolved LOW | Resolved: CPU is high on db-1 | CPU of db-1 is above 0.9 with a value of 0.97.",
  {
    data: { ...fired.data, state: "closed" },
    url: "https://console.cloud.google.com/monitoring/alerting/incidents/0.mjn5y0",
    resolves: "google-cloud-monitoring:incident:0.mjn5y0",
    changedAt: 1795263000000,
    once: "google-cloud-monitoring:incident:0.mjn5y0:closed",
  },
);

testMessages("google-cloud-monitoring", {
  "an incident that opens": [incident({}), fired],
  "the end of an incident": [incident({ state: "closed", ended_at: 1795263000 }), ended],
  "an incident with documentation, links and labels": [
    incident({
      severity: "No severity",
      policy_user_labels: { severity: "warning", team: "db" },
      documentation: {
        subject: "CPU of the shop",
        content: "## What to do",
        mime_type: "text/markdown",
        links: [{ displayName: "Runbook", url: "https://wiki.example/cpu" }],
      },
    }),
    {
      ...fired,
      title: "CPU of the shop on db-1",
      detail: "## What to do",
      priority: "NORMAL",
      url: "https://wiki.example/cpu",
      data: {
        ...fired.data,
        "links.Runbook": "https://wiki.example/cpu",
        severity: "No severity",
        "policyLabels.severity": "warning",
        "policyLabels.team": "db",
      },
    },
  ],
  "an incident of an uptime check in the older format, without a severity": [
    {
      version: "1.2",
      incident: {
        incident_id: "0.lig",
        policy_name: "Shop",
        condition_name: "Uptime of shop",
        resource: { type: "uptime_url", labels: { host: "shop.example" } },
        resource_id: "",
        resource_name: "Uptime Check URL labels {host=shop.example}",
        started_at: 1795262400,
        ended_at: null,
        state: "open",
        summary: "The check is failing.",
        url: "https://app.google.stackdriver.com/incidents/0.lig",
      },
    },
    {
      ...fired,
      title: "Shop on shop.example",
      body: "The check is failing.",
      priority: "NORMAL",
      url: "https://app.google.stackdriver.com/incidents/0.lig",
      dedupeKey: "google-cloud-monitoring:incident:0.lig",
      data: {
        "links.Incident": "https://app.google.stackdriver.com/incidents/0.lig",
        policy: "Shop",
        condition: "Uptime of shop",
        state: "open",
        resourceName: "Uptime Check URL labels {host=shop.example}",
        resourceType: "uptime_url",
        "labels.host": "shop.example",
      },
    },
  ],
  "an incident with its time in ISO 8601": [
    incident({ state: "OPEN", started_at: "2026-11-21T12:00:00Z", severity: "Warning", policy_name: undefined }),
    {
      ...fired,
      title: "VM CPU on db-1",
      priority: "NORMAL",
      data: { ...omitFields(fired.data, "policy"), state: "OPEN", severity: "Warning" },
    },
  ],
  "the test button": [
    incident(
      {
        incident_id: "12345",
        state: "OPEN",
        started_at: 0,
        ended_at: 0,
        summary: "Test Incident",
        policy_name: "Example Policy",
        resource_display_name: "Example Resource",
        severity: undefined,
        url: "http://www.example.com",
      },
      "test",
    ),
    event("google_cloud_monitoring.test LOW | Example Policy on Example Resource | Test Incident", {
      data: {
        ...omitFields(fired.data, "severity"),
        "links.Incident": "http://www.example.com",
        policy: "Example Policy",
        state: "OPEN",
        resource: "Example Resource",
      },
      url: "http://www.example.com",
    }),
  ],
  "an incident by Pub/Sub": [
    pubSubMessage(JSON.stringify(incident({}))),
    { ...fired, once: "google-cloud-monitoring:m-1" },
  ],
  "the end of an incident by Pub/Sub": [
    pubSubMessage(JSON.stringify(incident({ state: "closed", ended_at: 1795263000 })), { messageId: "m-2" }),
    { ...ended, once: "google-cloud-monitoring:m-2" },
  ],
  "a test by Pub/Sub": [
    pubSubMessage(JSON.stringify(incident({}, "test"))),
    event("google_cloud_monitoring.test LOW | CPU is high on db-1 | CPU of db-1 is above 0.9 with a value of 0.97.", {
      data: { ...fired.data },
      url: "https://console.cloud.google.com/monitoring/alerting/incidents/0.mjn5y0",
      changedAt: 1795262400000,
      once: "google-cloud-monitoring:m-1",
    }),
  ],
  "a budget by Pub/Sub": [
    pubSubMessage(
      JSON.stringify({ budgetDisplayName: "Shop", costAmount: 98.5, budgetAmount: 100, currencyCode: "EUR" }),
    ),
    {
      eventKey: "google_cloud_monitoring.info",
      title: "Budget Shop",
      body: '{"budgetDisplayName":"Shop","costAmount":98.5,"budgetAmount":100,"currencyCode":"EUR"}',
      priority: "LOW",
      data: {
        subscription: "projects/shop/subscriptions/alerts",
        budgetDisplayName: "Shop",
        costAmount: 98.5,
        budgetAmount: 100,
        currencyCode: "EUR",
      },
      once: "google-cloud-monitoring:m-1",
    },
  ],
  "a text by Pub/Sub": [
    pubSubMessage("Hello"),
    event("google_cloud_monitoring.info LOW | Message of alerts | Hello", {
      data: { subscription: "projects/shop/subscriptions/alerts" },
      once: "google-cloud-monitoring:m-1",
    }),
  ],
  "an incident that somebody acknowledged": [incident({ state: "acknowledged" }), []],
  "an incident with only a state": [
    { incident: { state: "open" } },
    event("google_cloud_monitoring.firing NORMAL | Google Cloud Monitoring", { data: { state: "open" } }),
  ],
  "the end of an incident with only a state": [
    { incident: { state: "closed" } },
    event("google_cloud_monitoring.resolved LOW | Resolved: Google Cloud Monitoring | Google Cloud Monitoring", {
      data: { state: "closed" },
    }),
  ],
  "an incident without a severity, whose name has the resource": [
    incident({ policy_name: "CPU of db-1 is high", severity: "No Severity", started_at: 1795262400.25 }),
    {
      ...fired,
      title: "CPU of db-1 is high",
      priority: "NORMAL",
      changedAt: 1795262400250,
      data: { ...fired.data, policy: "CPU of db-1 is high", severity: "No Severity" },
    },
  ],
  "an incident with links, its severity in a label, and a time with an offset": [
    incident({
      severity: undefined,
      policy_user_labels: { severity: "low" },
      started_at: "2026-11-21T13:00:00+01:00",
      documentation: {
        links: [{ display_name: "Runbook", url: "https://wiki.example/cpu" }, { url: "https://wiki.example/db" }],
      },
    }),
    {
      ...fired,
      priority: "LOW",
      url: "https://wiki.example/cpu",
      data: {
        ...omitFields(fired.data, "severity"),
        "links.Runbook": "https://wiki.example/cpu",
        "links.Link": "https://wiki.example/db",
        "policyLabels.severity": "low",
      },
    },
  ],
  "a text by Pub/Sub without a subscription": [
    { message: { data: Buffer.from("Hello").toString("base64"), message_id: "m-3" } },
    event("google_cloud_monitoring.info LOW | Message of a subscription | Hello", {
      once: "google-cloud-monitoring:m-3",
    }),
  ],
});
