import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { fitDraft } from "../../../../core/domain/sources/fit.ts";
import type { ToolName } from "../../../../core/domain/basics/source-name.ts";
import { sources } from "../../../../core/domain/sources/index.ts";

/** The expected event, with its `dedupeKey` as `opens` and its `resolves` as `ends`. */
type Row = { key: string; priority: string; opens?: string; ends?: string; once?: string };

const readMessage = (source: ToolName, payload: object): Row[] | undefined => {
  const result = v.safeParse(sources[source].adapter, payload);
  if (!result.success) return undefined;
  return result.output.map((draft) => {
    const { event, once } = fitDraft(source, draft);
    return {
      key: event.eventKey,
      priority: event.priority ?? "",
      ...(event.dedupeKey === undefined ? {} : { opens: event.dedupeKey }),
      ...(event.resolves === undefined ? {} : { ends: event.resolves }),
      ...(once === undefined ? {} : { once }),
    };
  });
};
const dataOf = (source: ToolName, payload: object) => {
  const [draft] = v.parse(sources[source].adapter, payload);
  return draft === undefined ? undefined : fitDraft(source, draft).event.data;
};

const AT = "2026-11-21T12:00:00Z";

describe.each(["alertmanager", "grafana"] as const)("a message from %s", (source) => {
  const alert = (status: string | undefined, severity?: string) => ({
    alerts: [{ status, fingerprint: "f1", startsAt: AT, endsAt: AT, labels: { alertname: "A", severity } }],
  });

  it.each([
    ["of severity critical", "URGENT", "critical"],
    ["of severity page", "URGENT", "page"],
    ["of severity error", "HIGH", "error"],
    ["of severity warning", "NORMAL", "warning"],
    ["of severity info", "LOW", "info"],
    ["of severity none", "LOW", "none"],
    ["without a severity", "NORMAL", undefined],
  ])("opens an alert %s with the priority %s", (_, priority, severity) => {
    expect(readMessage(source, alert("firing", severity))).toEqual([
      { key: `${source}.firing`, priority, opens: `${source}:f1` },
    ]);
  });

  it("resolves the alert with the same fingerprint", () => {
    expect(readMessage(source, alert("resolved", "critical"))).toEqual([
      { key: `${source}.resolved`, priority: "LOW", ends: `${source}:f1`, once: `${source}:f1:${AT}:resolved` },
    ]);
  });

  it("uses the message's state for an alert that has no state", () => {
    expect(readMessage(source, { status: "resolved", ...alert(undefined) })).toMatchObject([
      { key: `${source}.resolved` },
    ]);
  });

  it("identifies an alert without a fingerprint by its labels, in any order", () => {
    const dedupeKeyFor = (labels: object) =>
      readMessage(source, { alerts: [{ status: "firing", startsAt: AT, labels }] })?.[0]?.opens;

    expect(dedupeKeyFor({ a: "1", b: "2" })).toBe(`${source}:a="1",b="2"`);
    expect(dedupeKeyFor({ b: "2", a: "1" })).toBe(dedupeKeyFor({ a: "1", b: "2" }));
  });

  it("keeps the receiver, the shared labels, and numeric values as numbers", () => {
    const [one] = alert("firing", "critical").alerts;
    const payload = {
      receiver: "db-team",
      groupLabels: { cluster: "eu" },
      commonLabels: { alertname: "A" },
      alerts: [{ ...one, values: { B: 98.2, C: 1 } }],
    };

    expect(dataOf(source, payload)).toMatchObject({
      "values.B": 98.2,
      "values.C": 1,
      receiver: "db-team",
      "groupLabels.cluster": "eu",
      "commonLabels.alertname": "A",
    });
  });
});

describe("the cloudwatch adapter", () => {
  const ARN = "arn:aws:cloudwatch:eu-west-1:123456789012:alarm:dlq";
  const alarm = (NewStateValue: string) => ({
    AlarmName: "dlq",
    AlarmArn: ARN,
    NewStateValue,
    StateChangeTime: AT,
  });

  it.each([
    ["ALARM", { key: "cloudwatch.firing", priority: "HIGH", opens: `cloudwatch:${ARN}` }],
    ["OK", { key: "cloudwatch.resolved", priority: "LOW", ends: `cloudwatch:${ARN}` }],
    // An alarm without data has not ended.
    ["INSUFFICIENT_DATA", { key: "cloudwatch.info", priority: "NORMAL" }],
  ])("makes an event of an alarm in the state %s", (state, row) => {
    expect(readMessage("cloudwatch", alarm(state))).toEqual([{ ...row, once: `cloudwatch:${ARN}:${AT}:${state}` }]);
  });

  it("recognises duplicates by the SNS message id if the alarm comes through SNS", () => {
    const envelope = { MessageId: "m-1", Message: JSON.stringify(alarm("ALARM")) };

    expect(readMessage("cloudwatch", envelope)).toMatchObject([{ opens: `cloudwatch:${ARN}`, once: "cloudwatch:m-1" }]);
    expect(readMessage("cloudwatch", { MessageId: "m-2", Subject: "Hello", Message: "No alarm" })).toEqual([
      { key: "cloudwatch.info", priority: "NORMAL", once: "cloudwatch:m-2" },
    ]);
  });

  it("distinguishes alarms without an ARN by account and region", () => {
    const { AlarmArn: _arn, ...plain } = alarm("ALARM");

    expect(readMessage("cloudwatch", { ...plain, AWSAccountId: "1", Region: "EU" })?.[0]?.opens).toBe(
      "cloudwatch:1:EU:dlq",
    );
  });
});

describe("the sentry adapter", () => {
  const issue = (action: string, level?: string) => ({ action, data: { issue: { id: "7", title: "T", level } } });

  it.each([
    ["created", "at level fatal", "firing", "URGENT", "fatal"],
    ["created", "at level error", "firing", "HIGH", "error"],
    ["triggered", "at level warning", "firing", "NORMAL", "warning"],
    ["unresolved", "at level info", "firing", "LOW", "info"],
    ["unresolved", "without a level", "firing", "NORMAL", undefined],
    ["resolved", "at level fatal", "resolved", "LOW", "fatal"],
    ["archived", "at level fatal", "resolved", "LOW", "fatal"],
    ["ignored", "at level fatal", "resolved", "LOW", "fatal"],
  ])("reads an issue that is %s %s as %s with priority %s", (action, _level, word, priority, level) => {
    const names = word === "firing" ? { opens: "sentry:issue:7" } : { ends: "sentry:issue:7" };

    expect(readMessage("sentry", issue(action, level))).toEqual([{ key: `sentry.${word}`, priority, ...names }]);
  });

  it.each([
    ["critical", "firing", "URGENT"],
    ["warning", "firing", "NORMAL"],
    ["resolved", "resolved", "LOW"],
  ])('reads a metric alert with the action "%s" as %s with priority %s', (action, word, priority) => {
    const names = word === "firing" ? { opens: "sentry:metric:9" } : { ends: "sentry:metric:9" };

    expect(readMessage("sentry", { action, data: { metric_alert: { id: "9", title: "T" } } })).toEqual([
      { key: `sentry.${word}`, priority, ...names },
    ]);
  });

  it("resolves nothing for an unknown action", () => {
    expect(readMessage("sentry", issue("assigned", "error"))).toEqual([{ key: "sentry.info", priority: "LOW" }]);
  });

  it("creates one event if one occurrence is sent twice for the same rule", () => {
    const payload = { action: "triggered", data: { event: { event_id: "e", issue_id: "7", level: "error" } } };

    expect(readMessage("sentry", payload)).toMatchObject([{ opens: "sentry:issue:7", once: "sentry:e:triggered:" }]);
    expect(readMessage("sentry", { ...payload, data: { ...payload.data, triggered_rule: "R" } })).toMatchObject([
      { once: "sentry:e:triggered:R" },
    ]);
  });
});

describe("the github adapter", () => {
  const repository = { full_name: "acme/shop" };
  const workflowRun = (conclusion: string, head_branch = "main") => ({
    repository,
    workflow_run: { id: 5, run_attempt: 2, workflow_id: 77, name: "CI", head_branch, conclusion },
  });
  const MAIN = "github:workflow:acme/shop:77:main";

  it.each([
    ["failure", "firing"],
    ["timed_out", "firing"],
    ["startup_failure", "firing"],
    ["success", "resolved"],
  ])("reads a run that ends with %s as %s", (conclusion, word) => {
    expect(readMessage("github", workflowRun(conclusion))).toEqual([
      {
        key: `github.${word}`,
        priority: word === "firing" ? "HIGH" : "LOW",
        ...(word === "firing" ? { opens: MAIN } : { ends: MAIN }),
        once: `${MAIN}:5:2:${conclusion}`,
      },
    ]);
  });

  it.each(["cancelled", "skipped", "neutral", "action_required", "stale", ""])(
    "creates no event for a run with the conclusion %j",
    (conclusion) => {
      expect(readMessage("github", workflowRun(conclusion))).toEqual([]);
    },
  );

  it("does not end the alert of a failed run on main when a run on another branch succeeds", () => {
    expect(readMessage("github", workflowRun("success", "feature"))?.[0]?.ends).toBe(
      "github:workflow:acme/shop:77:feature",
    );
  });

  it.each([
    ["failure", { key: "github.firing", priority: "HIGH", opens: "github:deployment:acme/shop:live" }],
    ["error", { key: "github.firing", priority: "HIGH", opens: "github:deployment:acme/shop:live" }],
    ["success", { key: "github.resolved", priority: "LOW", ends: "github:deployment:acme/shop:live" }],
  ])("turns a deployment that ends with %s into an event", (state, row) => {
    expect(readMessage("github", { repository, deployment_status: { id: 3, state, environment: "live" } })).toEqual([
      { ...row, once: "github:deployment:acme/shop:live:3" },
    ]);
  });

  it.each([
    ["created", "severity critical", "firing", "URGENT", "critical"],
    ["reopened", "severity high", "firing", "HIGH", "high"],
    ["appeared_in_branch", "severity medium", "firing", "NORMAL", "medium"],
    ["created", "no severity", "firing", "HIGH", undefined],
    ["fixed", "severity critical", "resolved", "LOW", "critical"],
    ["dismissed", "severity critical", "resolved", "LOW", "critical"],
    ["revoked", "severity critical", "resolved", "LOW", "critical"],
  ])(
    "reads a security alert with the action %s and %s as %s with priority %s",
    (action, _severity, word, priority, severity) => {
      const url = "https://github.com/acme/shop/security/1";
      const names = word === "firing" ? { opens: `github:alert:${url}` } : { ends: `github:alert:${url}` };
      const alert = { html_url: url, security_advisory: { severity } };

      expect(readMessage("github", { action, repository, alert })).toEqual([
        { key: `github.${word}`, priority, ...names },
      ]);
    },
  );
});

describe("the uptime-kuma adapter", () => {
  it.each([
    ["down", 0, { key: "uptime_kuma.firing", priority: "HIGH", opens: "uptime-kuma:monitor:1" }],
    ["up", 1, { key: "uptime_kuma.resolved", priority: "LOW", ends: "uptime-kuma:monitor:1" }],
    ["pending", 2, { key: "uptime_kuma.info", priority: "LOW" }],
    ["under maintenance", 3, { key: "uptime_kuma.info", priority: "LOW" }],
  ])("makes an event of a monitor that is %s", (_, status, row) => {
    expect(readMessage("uptime-kuma", { msg: "m", heartbeat: { status }, monitor: { id: 1, name: "Shop" } })).toEqual([
      row,
    ]);
  });
});

describe("the opsgenie adapter", () => {
  it.each([
    ["of priority P1", "URGENT", "P1"],
    ["of priority P2", "HIGH", "P2"],
    ["of priority P3", "NORMAL", "P3"],
    ["of priority P4", "LOW", "P4"],
    ["of priority P5", "LOW", "P5"],
    ["without a priority", "NORMAL", undefined],
  ])("reads an alert %s as %s", (_, ours, priority) => {
    expect(readMessage("opsgenie", { message: "Disk full", alias: "disk", priority })).toEqual([
      { key: "opsgenie.firing", priority: ours, opens: "opsgenie:disk" },
    ]);
  });

  it.each([
    ["with only an alias", { alias: "disk" }],
    ["with the action close", { alias: "disk", action: "close" }],
    ["whose action starts with a capital letter", { message: "Disk full", alias: "disk", action: "Close" }],
    ["of a webhook", { action: "Close", alert: { message: "Disk full", alias: "disk", priority: "P1" } }],
  ])("closes an alert by a message %s", (_, payload) => {
    expect(readMessage("opsgenie", payload)).toEqual([
      { key: "opsgenie.resolved", priority: "LOW", ends: "opsgenie:disk" },
    ]);
  });

  it.each([
    "acknowledge",
    "unacknowledge",
    "notes",
    "snooze",
    "assign",
    "escalate",
    "tags",
    "details",
    "reclose",
    "created",
  ])("refuses the action %s, which would have no effect", (action) => {
    expect(readMessage("opsgenie", { alias: "disk", action })).toBeUndefined();
  });

  it("ignores a webhook message that is not about an alert", () => {
    expect(readMessage("opsgenie", { action: "Acknowledge", alert: { message: "m", alias: "a" } })).toEqual([]);
  });

  it("keeps tags and responders as lists that a condition can search", () => {
    const payload = {
      message: "Disk full",
      description: "2 % left",
      alias: "disk",
      priority: "P4",
      tags: ["db", "eu, west"],
      responders: [{ type: "team", name: "NOC" }, { type: "user", username: "ann@acme.example" }, { id: "u-1" }],
      teams: [{ name: "Web" }],
    };

    expect(dataOf("opsgenie", payload)).toMatchObject({
      alias: "disk",
      priority: "P4",
      description: "2 % left",
      tags: "db, eu west",
      responders: "team:NOC, user:ann@acme.example, user:u-1, team:Web",
    });
  });
});

describe("the pagerduty adapter", () => {
  const trigger = (severity?: string) => ({
    event_action: "trigger",
    dedup_key: "k",
    payload: { summary: "Down", source: "db-1", severity },
  });

  it.each([
    ["critical", "URGENT"],
    ["error", "HIGH"],
    ["warning", "NORMAL"],
    ["info", "LOW"],
  ])("reads a trigger with severity %s as priority %s", (severity, priority) => {
    expect(readMessage("pagerduty", trigger(severity))).toEqual([
      { key: "pagerduty.firing", priority, opens: "pagerduty:k" },
    ]);
  });

  it("resolves an alert by its dedup_key", () => {
    expect(readMessage("pagerduty", { event_action: "resolve", dedup_key: "k" })).toEqual([
      { key: "pagerduty.resolved", priority: "LOW", ends: "pagerduty:k" },
    ]);
  });

  it("refuses an acknowledge message, which would have no effect", () => {
    expect(readMessage("pagerduty", { event_action: "acknowledge", dedup_key: "k" })).toBeUndefined();
  });

  it("keeps the fields that event orchestrations use", () => {
    expect(dataOf("pagerduty", trigger("critical"))).toMatchObject({ source: "db-1", severity: "critical" });
  });
});
