import { event, testMessages, omitFields } from "./table.ts";

const monitor = (fields: object) => ({
  id: "7001",
  alert_id: "9876",
  alert_transition: "Triggered",
  alert_scope: "env:prod, host:db-1",
  alert_priority: "P1",
  alert_metric: "system.cpu.user",
  alert_query: "avg(last_5m):avg:system.cpu.user{*} by {host} > 90",
  event_type: "query_alert_monitor",
  title: "[P1] [Triggered on {host:db-1,env:prod}] CPU is high",
  text: "%%%\nCPU is above 90 %.\n%%%",
  hostname: "db-1",
  tags: "env:prod,host:db-1",
  link: "https://app.datadoghq.com/event/event?id=7001",
  snapshot: "",
  date: "1795262400000",
  org_name: "Acme",
  ...fields,
});

const fired = event("datadog.firing URGENT | CPU is high on env:prod, host:db-1 | CPU is above 90 %.", {
  data: {
    "links.Event": "https://app.datadoghq.com/event/event?id=7001",
    monitor: "9876",
    transition: "Triggered",
    scope: "env:prod, host:db-1",
    host: "db-1",
    metric: "system.cpu.user",
    query: "avg(last_5m):avg:system.cpu.user{*} by {host} > 90",
    tags: "env:prod, host:db-1",
    eventType: "query_alert_monitor",
    organization: "Acme",
  },
  url: "https://app.datadoghq.com/event/event?id=7001",
  dedupeKey: "datadog:monitor:9876:env:prod, host:db-1",
  changedAt: 1795262400000,
  once: "datadog:event:7001",
});
const ended = event("datadog.resolved LOW | Resolved: CPU is high on env:prod, host:db-1 | CPU is above 90 %.", {
  data: { ...fired.data, transition: "Recovered" },
  url: "https://app.datadoghq.com/event/event?id=7001",
  resolves: "datadog:monitor:9876:env:prod, host:db-1",
  changedAt: 1795263000000,
  once: "datadog:event:7002",
});

testMessages("datadog", {
  "a monitor that triggers, sent by the template": [monitor({}), fired],
  "a monitor that recovers": [
    monitor({
      id: "7002",
      alert_transition: "Recovered",
      title: "[P1] [Recovered on {host:db-1,env:prod}] CPU is high",
      date: "1795263000000",
    }),
    ended,
  ],
  "a monitor that warns before it triggers": [
    monitor({ alert_transition: "Warn", title: "[P1] [Warn on {host:db-1,env:prod}] CPU is high" }),
    { ...fired, priority: "HIGH", data: { ...fired.data, transition: "Warn" } },
  ],
  "a monitor that warns again": [
    monitor({ alert_transition: "Re-Warn", alert_priority: "", title: "[Re-Warn on {host:db-1}] CPU is high" }),
    { ...fired, priority: "NORMAL", data: { ...fired.data, transition: "Re-Warn" } },
  ],
  "a monitor that triggers again, with its tags in another order": [
    monitor({
      alert_transition: "Re-Triggered",
      alert_scope: "host:db-1,env:prod",
      title: "[Re-Triggered on {host:db-1}] CPU is high",
    }),
    { ...fired, data: { ...fired.data, transition: "Re-Triggered" } },
  ],
  "a monitor's renotification": [
    monitor({ alert_transition: "Renotify", alert_priority: "P3", title: "[Re-Triggered] CPU is high" }),
    { ...fired, priority: "NORMAL", data: { ...fired.data, transition: "Renotify" } },
  ],
  "a monitor that has no data": [
    monitor({ alert_transition: "No Data", alert_priority: "P2", title: "[P2] [No data on {host:db-1}] CPU is high" }),
    {
      ...fired,
      title: "No data: CPU is high on env:prod, host:db-1",
      priority: "NORMAL",
      data: { ...fired.data, transition: "No Data" },
    },
  ],
  "a monitor that has data again": [
    monitor({
      alert_transition: "No Data Recovered",
      alert_priority: "null",
      title: "[Recovered on {host:db-1}] CPU is high",
    }),
    {
      ...ended,
      changedAt: 1795262400000,
      once: "datadog:event:7001",
      data: { ...ended.data, transition: "No Data Recovered" },
    },
  ],
  "a monitor of all hosts, without a priority": [
    monitor({
      alert_scope: "*",
      alert_priority: "$ALERT_PRIORITY",
      title: "[Triggered] Checkout is slow",
      hostname: "",
      tags: "",
    }),
    {
      ...fired,
      title: "Checkout is slow",
      priority: "HIGH",
      dedupeKey: "datadog:monitor:9876:*",
      data: { ...omitFields(fired.data, "host", "tags"), scope: "*" },
    },
  ],
  "a test notification": [
    monitor({ title: "[TEST] [P1] [Triggered on {host:db-1}] CPU is high" }),
    event("datadog.test LOW | CPU is high on env:prod, host:db-1 | CPU is above 90 %.", {
      data: { ...fired.data },
      url: "https://app.datadoghq.com/event/event?id=7001",
      changedAt: 1795262400000,
      once: "datadog:event:7001",
    }),
  ],
  "Datadog's default payload": [
    {
      id: "7001",
      title: "[Triggered on {host:db-1}] CPU is high",
      last_updated: "1795262400000",
      event_type: "query_alert_monitor",
      body: "%%%\nCPU is above 90 %.\n\n%%%",
      org: { id: "1", name: "Acme" },
      date: "1795262400000",
    },
    event("datadog.firing HIGH | CPU is high on host:db-1 | CPU is above 90 %.", {
      data: { transition: "Triggered", scope: "host:db-1", eventType: "query_alert_monitor", organization: "Acme" },
      dedupeKey: "datadog:CPU is high on host:db-1",
      changedAt: 1795262400000,
      once: "datadog:event:7001",
    }),
  ],
  "Datadog's default payload for a recovery": [
    {
      id: "7002",
      title: "[Recovered on {host:db-1}] CPU is high",
      body: "CPU is fine.",
      org: { id: "1", name: "Acme" },
      date: "1795263000000",
    },
    event("datadog.resolved LOW | Resolved: CPU is high on host:db-1 | CPU is fine.", {
      data: { transition: "Recovered", scope: "host:db-1", organization: "Acme" },
      resolves: "datadog:CPU is high on host:db-1",
      changedAt: 1795263000000,
      once: "datadog:event:7002",
    }),
  ],
  "a template with the monitor in an object": [
    {
      id: "7003",
      title: "[Triggered] Disk is full",
      body: "2 % left",
      date: "1795262400000",
      alert: {
        id: "55",
        transition: "Triggered",
        priority: "P4",
        scope: "host:db-2",
        status: "disk over 98",
        query: "q",
        metric: "disk",
      },
      aggregation_key: "a1",
      link: "https://app.datadoghq.com/monitors/55",
    },
    {
      ...fired,
      title: "Disk is full on host:db-2",
      body: "2 % left",
      priority: "LOW",
      url: "https://app.datadoghq.com/monitors/55",
      dedupeKey: "datadog:monitor:55:host:db-2",
      once: "datadog:event:7003",
      data: {
        "links.Event": "https://app.datadoghq.com/monitors/55",
        monitor: "55",
        transition: "Triggered",
        scope: "host:db-2",
        metric: "disk",
        query: "q",
      },
    },
  ],
  "a template without the monitor, with Datadog's aggregation key": [
    { title: "Disk is full", transition: "Triggered", priority: "P2", aggreg_key: "a1", text: "2 % left" },
    event("datadog.firing HIGH | Disk is full | 2 % left", {
      data: { transition: "Triggered" },
      dedupeKey: "datadog:a1",
    }),
  ],
  "the end of an alert with only an aggregation key": [
    { title: "Disk is full", transition: "Recovered", priority: "P2", aggreg_key: "a1", text: "40 % left" },
    event("datadog.resolved LOW | Resolved: Disk is full | 40 % left", {
      data: { transition: "Recovered" },
      resolves: "datadog:a1",
    }),
  ],
  "an event that does not come from a monitor": [
    {
      id: "8001",
      title: "Deployed shop 4.2",
      text: "By ann",
      alert_transition: "",
      alert_id: "",
      date: "1795262400000",
    },
    event("datadog.info LOW | Deployed shop 4.2 | By ann", { changedAt: 1795262400000, once: "datadog:event:8001" }),
  ],
  "a monitor whose name begins with brackets": [
    monitor({ title: "[Triggered] [Shop] Checkout is slow", alert_scope: "" }),
    {
      ...fired,
      title: "[Shop] Checkout is slow",
      dedupeKey: "datadog:monitor:9876:",
      data: { ...omitFields(fired.data, "scope") },
    },
  ],
  "an event with only a monitor and an unreadable date": [
    { alert_id: "9876", date: "at 1795262400000" },
    event("datadog.info LOW | Datadog", { data: { monitor: "9876" } }),
  ],
  "a warning whose state, scope and priority are only in the title, and a date with a unit": [
    { title: "  [P1] [Warn  on  {host:db-1}]CPU is high", date: "1795262400000 ms" },
    event("datadog.firing HIGH | CPU is high on host:db-1", {
      data: { transition: "Warn", scope: "host:db-1" },
      dedupeKey: "datadog:CPU is high on host:db-1",
    }),
  ],
  "a warning of the lowest priority": [
    { title: "Disk", alert_transition: "Warn", alert_priority: "P5" },
    event("datadog.firing LOW | Disk", { data: { transition: "Warn" }, dedupeKey: "datadog:Disk" }),
  ],
  "a text with percent signs": [
    { title: "Disk", text: "%%%\n100 %%%\n%%% of disks\n %%% " },
    event("datadog.info LOW | Disk | 100 %%%\n%%% of disks"),
  ],
  ...Object.fromEntries(
    ["Shop [Triggered] disk", "Shop[Triggered] disk", "[LATEST] disk", "[P1 db] disk"].map((title) => [
      `a name with brackets of its own, ${title}`,
      [{ title }, event(`datadog.info LOW | ${title}`)] as const,
    ]),
  ),
});
