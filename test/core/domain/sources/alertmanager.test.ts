import * as v from "valibot";
import { expect, it } from "vitest";
import { alertmanager } from "../../../../core/domain/sources/alertmanager.ts";
import { event, testMessages } from "./table.ts";

/** A message about one alert, with `fields` beside the fields that identify the alert. */
const oneAlert = (fields: object) => ({
  externalURL: "https://am.example",
  alerts: [
    {
      status: "firing",
      fingerprint: "f1",
      startsAt: "2026-11-21T12:00:00Z",
      labels: { alertname: "Cpu", n: 1 },
      ...fields,
    },
  ],
});
/** The fields that the event of `oneAlert` has, whatever `fields` is. */
const fires = {
  eventKey: "alertmanager.firing",
  priority: "NORMAL",
  dedupeKey: "alertmanager:f1",
  changedAt: 1795262400000,
};

testMessages("alertmanager", {
  "an alert with every field": [
    {
      receiver: "db",
      externalURL: "https://am.example",
      alerts: [
        {
          status: "firing",
          fingerprint: "f1",
          startsAt: "2026-11-21T12:00:00Z",
          labels: { alertname: "Cpu", n: 1 },
          annotations: {
            summary: "CPU is busy",
            title: "T",
            description: "Ten minutes.",
            message: "M",
            runbook_url: "https://run.example",
          },
          endsAt: "0001-01-01T00:00:00Z",
          generatorURL: "https://prom.example",
          dashboardURL: "https://dash.example",
          panelURL: "https://panel.example",
          valueString: "B=1",
        },
      ],
    },
    {
      ...fires,
      title: "CPU is busy",
      body: "Ten minutes.",
      data: {
        "links.Runbook": "https://run.example",
        "links.Panel": "https://panel.example",
        "links.Dashboard": "https://dash.example",
        "links.Graph": "https://prom.example",
        "links.Alerts": "https://am.example",
        "labels.alertname": "Cpu",
        "labels.n": 1,
        "annotations.summary": "CPU is busy",
        "annotations.title": "T",
        "annotations.description": "Ten minutes.",
        "annotations.message": "M",
        "annotations.runbook_url": "https://run.example",
        receiver: "db",
        startsAt: "2026-11-21T12:00:00Z",
      },
      url: "https://run.example",
    },
  ],
  "an alert without a summary, description and panel": [
    oneAlert({
      annotations: { title: "T", message: "M", runbook_url: "https://run.example" },
      generatorURL: "https://prom.example",
      dashboardURL: "https://dash.example",
      valueString: "B=1",
    }),
    {
      ...fires,
      title: "T",
      body: "M",
      data: {
        "links.Runbook": "https://run.example",
        "links.Dashboard": "https://dash.example",
        "links.Graph": "https://prom.example",
        "links.Alerts": "https://am.example",
        "labels.alertname": "Cpu",
        "labels.n": 1,
        "annotations.title": "T",
        "annotations.message": "M",
        "annotations.runbook_url": "https://run.example",
        startsAt: "2026-11-21T12:00:00Z",
      },
      url: "https://run.example",
    },
  ],
  "an alert without annotations or a dashboard": [
    oneAlert({
      annotations: { runbook_url: "https://run.example" },
      generatorURL: "https://prom.example",
      valueString: "B=1",
    }),
    {
      ...fires,
      title: "Cpu",
      body: "B=1",
      data: {
        "links.Runbook": "https://run.example",
        "links.Graph": "https://prom.example",
        "links.Alerts": "https://am.example",
        "labels.alertname": "Cpu",
        "labels.n": 1,
        "annotations.runbook_url": "https://run.example",
        startsAt: "2026-11-21T12:00:00Z",
      },
      url: "https://run.example",
    },
  ],
  "an alert without a value or a link of its own": [
    oneAlert({ annotations: { runbook_url: "https://run.example" } }),
    {
      ...fires,
      title: "Cpu",
      body: "alertname: Cpu",
      data: {
        "links.Runbook": "https://run.example",
        "links.Alerts": "https://am.example",
        "labels.alertname": "Cpu",
        "labels.n": 1,
        "annotations.runbook_url": "https://run.example",
        startsAt: "2026-11-21T12:00:00Z",
      },
      url: "https://run.example",
    },
  ],
  "an alert that has ended": [
    oneAlert({ status: "resolved", endsAt: "2026-11-21T12:10:00Z" }),
    event("alertmanager.resolved LOW | Resolved: Cpu | alertname: Cpu", {
      data: {
        "links.Alerts": "https://am.example",
        "labels.alertname": "Cpu",
        "labels.n": 1,
        startsAt: "2026-11-21T12:00:00Z",
        endsAt: "2026-11-21T12:10:00Z",
      },
      url: "https://am.example",
      resolves: "alertmanager:f1",
      changedAt: 1795263000000,
      formerKey: "alertmanager:f1:2026-11-21T12:00:00Z",
      once: "alertmanager:f1:2026-11-21T12:00:00Z:resolved",
    }),
  ],
  "alerts with almost no fields": [
    {
      alerts: [
        {},
        { status: "resolved", labels: { priority: "P1" }, endsAt: "2026-11-21T12:00:00Z" },
        { labels: { priority: "P1", severity: "info" } },
      ],
    },
    [
      event("alertmanager.firing NORMAL | Alert"),
      event("alertmanager.resolved LOW | Resolved: Alert | priority: P1", {
        data: { "labels.priority": "P1", endsAt: "2026-11-21T12:00:00Z" },
        resolves: 'alertmanager:priority="P1"',
        changedAt: 1795262400000,
        formerKey: 'alertmanager:priority="P1":',
      }),
      event("alertmanager.firing LOW | Alert | priority: P1\nseverity: info", {
        data: { "labels.priority": "P1", "labels.severity": "info" },
        dedupeKey: 'alertmanager:priority="P1",severity="info"',
      }),
    ],
  ],
});

it("a message of alertmanager that leaves alerts out has a warning about their number", () => {
  expect(v.parse(alertmanager, { truncatedAlerts: 2, alerts: [{}] })[0]?.warnings).toEqual([
    { field: "truncatedAlerts", code: "cut", message: "2 more alerts of this group were left out of the message." },
  ]);
});
