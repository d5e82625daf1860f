import { describe, expect, it } from "vitest";
import { readAlertsFile } from "../../../setup/read.ts";
import { readOnCallAlerts } from "../../../setup/replay/oncall.ts";
import { readOpsgenieAlerts } from "../../../setup/replay/opsgenie.ts";
import { readPagerDutyAlerts } from "../../../setup/replay/pagerduty.ts";
import { compareAlert, createAlertPlayer } from "../../../setup/replay/play.ts";
import type { PastAlert, ExportRecords } from "../../../setup/replay/record.ts";
import { createJsonFile } from "../import/accounts/move.ts";

const AT = Date.UTC(2026, 10, 20, 10);
const MINUTE = 60_000;
const timeAfter = (seconds: number): string => new Date(AT + seconds * 1_000).toISOString();

/** `keyOf`: pairs of a sender's id and its key; `sourceOf`: pairs of a key and its source. */
const readFirst = (
  { alertsBy }: ExportRecords,
  keyOf: [string, string][] = [],
  sourceOf: [string, "mapped" | "alertmanager"][] = [],
) => alertsBy({ keyOf: new Map(keyOf), sourceOf: new Map(sourceOf) })[0] as PastAlert;

describe("an alert of Opsgenie", () => {
  const read = (alert: object, ...logs: [log: string, seconds: number][]) =>
    readFirst(
      readOpsgenieAlerts([
        createJsonFile("alerts/a", { data: { id: "a", message: "Disk full", createdAt: timeAfter(0), ...alert } }),
        createJsonFile("logs/a", {
          data: logs.map(([log, seconds]) => ({ log, createdAt: timeAfter(seconds), owner: "System" })),
        }),
      ]),
    );

  it.each<[string, string, [string, string][]]>([
    ["an address in capitals", "Notification sent to ANN@X.example via SMS", [["ann@x.example", "sms"]]],
    ["a phone", "Notification sent to ann@x.example by phone", [["ann@x.example", "voice"]]],
    ["a notification that failed", "Notification failed for ann@x.example via SMS", []],
    ["another line that names a person", "ann@x.example added a note via mobile", []],
  ])("counts as having notified the people named in its log's sent notifications: %s", (_, log, expected) => {
    expect(read({}, [log, 2]).notified.map(({ person, channel }) => [person, channel])).toEqual(expected);
  });

  it("has no acknowledgement and no end if the times of both are 0", () => {
    expect(read({ report: { ackTime: 0, closeTime: 0 } }, ["Alert created", 0])).toMatchObject({
      ackAt: undefined,
      endAt: undefined,
    });
  });
});

describe("an incident of PagerDuty", () => {
  const incident = { id: "N" };
  const createAlert = (seconds: number, summary: string) => ({
    created_at: timeAfter(seconds),
    summary,
    severity: "critical",
    incident,
    body: { details: {}, cef_details: { severity: "info" } },
  });
  const createEntry = (type: string) => ({ type, created_at: timeAfter(2), incident, user: { id: "U" } });
  const read = (keyOf: [string, string][] = []) =>
    readFirst(
      readPagerDutyAlerts([
        createJsonFile("users", { users: [{ id: "U", email: "ann@x.example" }] }),
        createJsonFile("orchestrations", { orchestrations: [{ id: "O1" }, { id: "O2" }] }),
        createJsonFile("incidents", {
          incidents: [{ id: "N", title: "Down", created_at: timeAfter(0), service: { id: "S", summary: "Shop" } }],
        }),
        createJsonFile("alerts-1", { alerts: [createAlert(60, "Second"), createAlert(0, "First")] }),
        createJsonFile("log_entries", {
          log_entries: [createEntry("assign_log_entry"), createEntry("notify_log_entry")],
        }),
      ]),
      keyOf,
    );

  it("is replayed as its first alert, with the severity that PagerDuty shows", () => {
    expect(read().event).toMatchObject({ title: "First", priority: "URGENT" });
  });

  it("counts as having notified the people named by its notifications, not by its assignments", () => {
    expect(read().notified).toEqual([{ person: "ann@x.example", at: AT + 2_000, channel: "unknown" }]);
  });

  it("is replayed with its service as the sender if several orchestrations could have routed it", () => {
    expect(read([["O1", "Router"]]).sender).toBe("Shop");
  });
});

describe("an alert group of OnCall", () => {
  const createLine = (realm: string) => ({
    realm,
    action: "called {{author}} by phone",
    created_at: timeAfter(2),
    author: { pk: "ann" },
  });
  const read = (title: string, payload: object, source?: "mapped" | "alertmanager") =>
    readFirst(
      readOnCallAlerts([
        createJsonFile("alert_groups", {
          results: [{ id: "G", integration_id: "I", title, created_at: timeAfter(0) }],
        }),
        createJsonFile("alerts", { results: [{ alert_group_id: "G", created_at: timeAfter(0), payload }] }),
        createJsonFile("logs/G", {
          render_after_resolve_report_json: [createLine("alert_group"), createLine("user_notification")],
        }),
      ]),
      [["I", "key"]],
      source === undefined ? [] : [["key", source]],
    );

  it("counts as having notified exactly the people whose notification its log reports", () => {
    expect(read("Down", {}).notified).toEqual([{ person: "ann", at: AT + 2_000, channel: "voice" }]);
  });

  it("from a source with a mapping is replayed with its own fields, and a blank title becomes the group's id", () => {
    expect(read("  ", { a: 1 }, "mapped").event).toMatchObject({ title: "G", data: { a: 1 } });
  });

  it("is replayed as the first of its alerts that fires", () => {
    const createAlert = (status: string, alertname: string) => ({
      status,
      labels: { alertname },
      startsAt: timeAfter(0),
      fingerprint: alertname,
    });
    const alerts = [createAlert("resolved", "Over"), createAlert("firing", "Down")];

    expect(read("A", { status: "firing", alerts }, "alertmanager").event.title).toContain("Down");
  });
});

describe("a recorded alert that is replayed", () => {
  const { file } = readAlertsFile(`
groups: [{ name: Ops, members: [ann@x.example] }]
policies: [{ name: P, steps: [{ delayMinutes: 10, targets: [{ user: bob@x.example }] }] }]
rules: [{ name: All, eventKey: "*", groups: [Ops], requiresAck: true, policy: P }]
`);
  const steps = [{ afterMinutes: 5, ways: ["sms" as const] }];
  const rules = {
    userId: "ann@x.example",
    rungs: { LOW: steps, NORMAL: steps, HIGH: steps, URGENT: steps },
    quietHours: null,
    version: 1,
  };
  const createAlert = (minutes: { ack?: number; end?: number }): PastAlert => ({
    id: "a",
    at: AT,
    sender: undefined,
    event: { eventKey: "a.b", title: "Down", body: "Down", priority: "HIGH" },
    ackAt: minutes.ack === undefined ? undefined : AT + minutes.ack * MINUTE,
    endAt: minutes.end === undefined ? undefined : AT + minutes.end * MINUTE,
    notified: [],
  });

  it.each([
    ["without an acknowledgement", {}, ["ann", "bob"]],
    ["with an acknowledgement at the second of the next step", { ack: 10 }, ["ann"]],
    ["with an end before the acknowledgement", { end: 8, ack: 20 }, ["ann"]],
    ["with an acknowledgement before a person's own first step", { ack: 4 }, []],
  ])("notifies only people whose step was due before its acknowledgement or end: %s", (_, minutes, expected) => {
    const { notified } = createAlertPlayer(file!, [rules])(createAlert(minutes));

    expect(notified.map(({ person }) => person.split("@")[0])).toEqual(expected);
  });

  it("is compared alone, without joining the group of events of an earlier alert", () => {
    const grouping = { ...file!, rules: file!.rules.map((rule) => ({ ...rule, groupBy: [], groupMinutes: 60 })) };
    const countDifferencesOfTwo = (isAlone: boolean) => {
      const play = createAlertPlayer(grouping, [], isAlone);
      return [createAlert({}), { ...createAlert({}), id: "b", at: AT + MINUTE }].map(
        (one) => compareAlert(one, play(one)).length,
      );
    };

    expect([countDifferencesOfTwo(true), countDifferencesOfTwo(false)]).toEqual([
      [2, 2],
      [2, 0],
    ]);
  });
});
