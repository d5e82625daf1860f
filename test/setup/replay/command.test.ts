import { mkdtempSync, mkdirSync, writeFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { importExport } from "../../../setup/import/import-export.ts";
import { offline } from "../offline.ts";
import { runOn } from "../running.ts";

const root = mkdtempSync(join(tmpdir(), "replayed-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const NOW = Date.UTC(2026, 10, 23, 12);
const AT = "2026-11-20T10:00:00Z";
const timeAfter = (seconds: number): string => new Date(Date.parse(AT) + seconds * 1_000).toISOString();

let folders = 0;
/** Runs an import and a replay. `change`: a change to the imported file. */
const runReplay = async (
  source: string,
  config: Record<string, unknown>,
  records: Record<string, unknown>,
  { change = (yaml: string) => yaml, more = [] as string[] } = {},
) => {
  folders += 1;
  const folder = join(root, String(folders));
  for (const [path, value] of Object.entries({ ...config, ...records })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, `${path}.json`), JSON.stringify(value));
  }
  const exported = Object.entries(config).map(([path, value]) => ({
    path: `${path}.json`,
    text: JSON.stringify(value),
  }));
  const { yaml, contacts } = importExport(source, exported, NOW);
  const written = new Map(Object.entries({ "f.yaml": change(yaml), "contacts.yaml": contacts }));
  const args = ["replay", source, folder, "--set-up", "f.yaml", "--report", "replay.md", ...more];
  const { code, text } = await runOn(written, args, offline);
  return { code, text, report: written.get("replay.md") ?? "", written };
};

const opsgenie = {
  users: { users: [{ username: "ann@x.example" }, { username: "bob@x.example" }] },
  integrations: {
    integrations: [
      { id: "i-1", name: "Web", ownerTeam: { name: "Web" } },
      { id: "i-2", name: "Logs", type: "CloudWatch", ownerTeam: { name: "Web" } },
    ],
  },
  "teams/web": { name: "Web", members: [{ user: { username: "ann@x.example" } }] },
};
const createAlert = (id: string, fields = {}) => ({
  data: { id, message: "Disk full", alias: id, createdAt: AT, integration: { id: "i-1", name: "Web" }, ...fields },
});
const createLogs = (...lines: [log: string, createdAt: string, owner?: string][]) => ({
  data: lines.map(([log, createdAt, owner = "System"]) => ({ log, createdAt, owner, type: "system" })),
});
const recorded = {
  "alerts/a1": createAlert("a1"),
  "logs/a1": createLogs(
    ["Notification sent to ann@x.example via SMS", timeAfter(2)],
    ["Notification to bob@x.example is suppressed", timeAfter(2)],
  ),
  "alerts/a2": createAlert("a2", { createdAt: timeAfter(86_400) }),
  "recipients/a2": {
    data: [
      { user: { username: "ann@x.example" }, state: "notified", method: "sms", createdAt: timeAfter(86_403) },
      { user: { username: "bob@x.example" }, state: "notactive", method: null, createdAt: timeAfter(86_403) },
    ],
  },
};

describe("the replay of Opsgenie logs", () => {
  it("uses the logs of an alert, or else its recipients, and exits with 0 if everybody is notified as before", async () => {
    expect(await runReplay("opsgenie", opsgenie, recorded)).toMatchObject({
      code: 0,
      text: "Alerts replayed: 2. Notifications: same 2.",
    });
  });

  it("exits with 1 if a notification reaches nobody, and names the cause", async () => {
    const addRuleBefore = (yaml: string) =>
      yaml.replace(
        "rules:\n",
        "silences: [{ name: Q, eventKey: '*', everything: true, endsAt: 2030-01-01T00:00:00Z }]\nrules:\n",
      );
    const { code, text, report } = await runReplay("opsgenie", opsgenie, recorded, { change: addRuleBefore });

    expect([code, text]).toEqual([1, "Alerts replayed: 2. Notifications: nobody 2.\n    silence: nobody 2"]);
    expect(report).toMatch(/^# 2 alerts of Opsgenie, replayed\n[^]*2 notifications of Opsgenie reach nobody here\./);
    expect(report).toContain("| silence | 2 | 2 |\n");
    expect(report).toContain("| 2026-11-20T10:00:00Z | Disk full | ann@x.example, sms, after 2 s | nobody | nobody |");
  });

  it("writes contracts of the most common alerts, which the setup file passes", async () => {
    const { written } = await runReplay("opsgenie", opsgenie, recorded);
    written.set("c.yaml", written.get("replay.contracts.yaml")!);

    expect(await runOn(written, ["test", "f.yaml", "c.yaml"], offline)).toEqual({
      code: 0,
      text: expect.stringContaining("1 of 1 contracts hold") as string,
    });
  });

  it("expects no escalation step after an alert's acknowledgement or end", async () => {
    const config = {
      ...opsgenie,
      "teams/web": {
        ...opsgenie["teams/web"],
        routingRules: [{ name: "All", isDefault: true, notify: { type: "escalation", name: "E" } }],
      },
      "escalations/e": {
        name: "E",
        rules: ["ann@x.example", "bob@x.example"].map((username, index) => ({
          delay: { timeAmount: index * 10 },
          recipient: { type: "user", username },
        })),
      },
    };
    const notified = createLogs(["Notification sent to ann@x.example via SMS", timeAfter(2)]);
    const createRecords = (fields: object, ...lines: [string, string][]) => ({
      "alerts/a": createAlert("a", fields),
      "logs/a": { data: [...notified.data, ...createLogs(...lines).data] },
    });

    const open = await runReplay("opsgenie", config, createRecords({}));
    expect(open.text).toBe(
      "Alerts replayed: 1. Notifications: more people 1, same 1.\n    no cause found: more people 1",
    );
    for (const stopped of [
      createRecords({ report: { ackTime: 300_000 } }),
      createRecords({ report: { closeTime: 300_000 } }),
      createRecords({}, ["Alert acknowledged via web", timeAfter(300)]),
      createRecords({}, ["Alert closed via API", timeAfter(300)]),
    ])
      expect((await runReplay("opsgenie", config, stopped)).text).toBe("Alerts replayed: 1. Notifications: same 1.");
  });

  it("reads people's own notification rules from the file of contacts", async () => {
    const steps = [{ contact: { method: "sms" }, sendAfter: { timeAmount: 5 } }];
    const config = {
      ...opsgenie,
      "users/ann": { user: { username: "ann@x.example" }, notificationRuleList: [{ steps }] },
    };
    const records = {
      "alerts/a": createAlert("a"),
      "logs/a": createLogs(["Notification sent to ann@x.example via SMS", timeAfter(302)]),
    };

    expect((await runReplay("opsgenie", config, records)).text).toBe(
      "Alerts replayed: 1. Notifications: earlier 1.\n    personal rule not imported: earlier 1",
    );
    const more = ["--contacts", "contacts.yaml"];
    expect((await runReplay("opsgenie", config, records, { more })).text).toBe(
      "Alerts replayed: 1. Notifications: same 1.",
    );
  });

  it("says which alerts cannot be replayed, and what the export lacks", async () => {
    const records = {
      "alerts/a1": createAlert("a1", { integration: { id: "i-2", name: "Logs" } }),
      "logs/a1": createLogs(["Alert created via API", AT]),
      "alerts/a2": createAlert("a2"),
      "alerts/a3": { data: { id: "a3" } },
    };
    const { code, text, report } = await runReplay("opsgenie", opsgenie, records);

    expect([code, text]).toEqual([1, "Alerts replayed: 0.\n2 alerts could not be replayed; the report says why."]);
    expect(report).toContain(
      '| 1 | The tool of the alert sends to the key "Logs" in its own format (cloudwatch), which Opsgenie did not record. | a1 |',
    );
    expect(report).toContain("| 1 | The export has neither the logs nor the recipients of the alert. | a2 |");
    expect(report).toMatch(/## Missing in the export\n\n.*\n.*\n\| .*a3.* \| This part cannot be read: .*createdAt/);
  });

  it.each([
    ["a period of 0 days", ["--days", "0"], "--days must be a whole number of days, 1 or more."],
    [
      "a period without alerts in the export",
      ["--days", "1"],
      "The export has no alerts of the last 1 days. docs/moving.md says how to fetch them.",
    ],
    ["a file of contacts that does not exist", ["--contacts", "none.yaml"], "There is no file none.yaml."],
    [
      "a file of contacts in another format",
      ["--contacts", "f.yaml"],
      "The file of contacts does not have the form that import writes.",
    ],
  ])("refuses %s", async (_, more, text) => {
    expect(
      await runReplay(
        "opsgenie",
        opsgenie,
        { "alerts/a1": recorded["alerts/a1"], "logs/a1": recorded["logs/a1"] },
        { more },
      ),
    ).toMatchObject({ code: 1, text });
  });
});

it("the replay of a PagerDuty account sends an incident's first alert through the API key of its service", async () => {
  const config = {
    users: { users: [{ id: "U1", email: "ann@x.example" }] },
    escalation_policies: {
      escalation_policies: [
        {
          id: "P",
          name: "P",
          escalation_rules: [{ escalation_delay_in_minutes: 30, targets: [{ id: "U1", type: "user_reference" }] }],
        },
      ],
    },
    services: {
      services: [
        {
          id: "S",
          name: "Shop",
          escalation_policy: { id: "P" },
          integrations: [{ id: "I", type: "events_api_v2_inbound_integration", summary: "Events API V2" }],
        },
      ],
    },
  };
  const incident = { id: "N", type: "incident_reference" };
  const createNotifyEntry = (user: object) => ({
    type: "notify_log_entry",
    created_at: timeAfter(4),
    incident,
    user,
    channel: { type: "auto", notification: { type: "phone", status: "success" } },
  });
  const createRecords = (...entries: object[]) => ({
    incidents: { incidents: [{ id: "N", title: "Down", created_at: AT, service: { id: "S", summary: "Shop" } }] },
    "alerts-1": {
      alerts: [
        {
          id: "A",
          created_at: AT,
          summary: "Down",
          severity: "critical",
          alert_key: "k",
          incident,
          integration: { id: "I" },
          body: { details: { host: "a" } },
        },
      ],
    },
    log_entries: { log_entries: [{ type: "trigger_log_entry", created_at: AT, incident }, ...entries], more: false },
  });

  expect(
    (await runReplay("pagerduty", config, createRecords(createNotifyEntry({ id: "U1", summary: "Ann" })))).text,
  ).toBe("Alerts replayed: 1. Notifications: same 1.");
  // A person who has left is in the record only by name.
  expect(
    (await runReplay("pagerduty", config, createRecords(createNotifyEntry({ id: "U9", summary: "Gus" })))).text,
  ).toBe("Alerts replayed: 1. Notifications: other person 1.\n    deleted person: other person 1");
});

it("the replay of a Grafana OnCall account uses each alert group's timeline and first alert, in the tool's format", async () => {
  const createPage = (...results: object[]) => ({ count: results.length, next: null, previous: null, results });
  const config = {
    users: createPage({ id: "U1", email: "ann@x.example", username: "ann" }),
    escalation_chains: createPage({ id: "C", name: "C" }),
    escalation_policies: createPage({
      id: "P",
      escalation_chain_id: "C",
      position: 0,
      type: "notify_persons",
      persons_to_notify: ["U1"],
    }),
    integrations: createPage({ id: "I", name: "Prom", type: "alertmanager" }),
    routes: createPage({ id: "R", integration_id: "I", is_the_last_route: true, escalation_chain_id: "C" }),
  };
  const alerting = { status: "firing", labels: { alertname: "Down" }, startsAt: AT, fingerprint: "f" };
  const createLogLine = (action: string, seconds: number) => ({
    realm: "user_notification",
    action,
    created_at: timeAfter(seconds),
    author: { pk: "U1", username: "ann" },
  });
  const records = {
    alert_groups: createPage({
      id: "G",
      integration_id: "I",
      title: "Down",
      created_at: AT,
      acknowledged_at: null,
      resolved_at: null,
    }),
    alerts: createPage({
      id: "A",
      alert_group_id: "G",
      created_at: AT,
      payload: { status: "firing", alerts: [alerting] },
    }),
    "logs/G": {
      pk: "G",
      render_after_resolve_report_json: [
        createLogLine("escalation triggered for {{author}}", 1),
        createLogLine("called {{author}} by phone", 300),
      ],
    },
  };

  const { text, report } = await runReplay("oncall", config, records);
  expect(text).toBe("Alerts replayed: 1. Notifications: earlier 1.\n    no cause found: earlier 1");
  expect(report).toContain(
    "| 2026-11-20T10:00:00Z | Down | ann@x.example, voice, after 300 s | ann@x.example, every device, after 0 s | earlier |",
  );
});
