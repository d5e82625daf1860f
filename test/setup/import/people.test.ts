import { parse } from "yaml";
import { describe, expect, it } from "vitest";
import * as v from "valibot";
import { NotificationRulesInput } from "../../../core/domain/people/notification-rules.ts";
import { readPeopleFile } from "../../../operator/people-file.ts";
import { importExport } from "../../../setup/import/import-export.ts";
import { listRemarks } from "./import-results.ts";

const FROM = Date.parse("2026-03-16T00:00:00Z");
const importFiles = (source: string, files: Readonly<Record<string, unknown>>) =>
  importExport(
    source,
    Object.entries(files).map(([path, value]) => ({ path: `${path}.json`, text: JSON.stringify(value) })),
    FROM,
  );
const readCounts = ({ report }: ReturnType<typeof importFiles>, kind: string) =>
  new RegExp(`^\\| ${kind} \\| (\\d+) \\| (\\d+) \\| (\\d+) \\| (\\d+) \\|$`, "m").exec(report)?.slice(1).map(Number);

const ann = {
  user: {
    id: "u-1",
    username: "Ann@acme.example",
    fullName: 'Ann "A", Lee',
    role: { name: "Owner" },
    userContacts: [
      { contactMethod: "email", to: "ann@acme.example" },
      { contactMethod: "sms", to: "1-5550100" },
      { contactMethod: "mobile", to: "phone" },
    ],
  },
  notificationRuleList: [
    {
      name: "New alert",
      actionType: "create-alert",
      steps: [
        { contact: { method: "mobile" }, sendAfter: { timeAmount: 0 } },
        { contact: { method: "sms" }, sendAfter: { timeAmount: 5, timeUnit: "minutes" } },
        { contact: { method: "voice" }, sendAfter: { timeAmount: 5, timeUnit: "minutes" } },
        { contact: { method: "pager" }, sendAfter: { timeAmount: 7 } },
      ],
    },
    { name: "Closed", actionType: "closed-alert", steps: [{ contact: { method: "email" } }] },
  ],
};

describe("the imported people of Opsgenie", () => {
  const moved = importFiles("opsgenie", {
    "users/ann": ann,
    "users/bob": { username: "bob@acme.example", role: { name: "User" }, blocked: true },
    "users/cem": { username: "cem", role: { name: "User" } },
    "teams/ops": {
      name: "Ops",
      members: [{ user: { username: "ann@acme.example" } }, { user: { username: "bob@acme.example" } }],
    },
  });

  it("become a table that add-people accepts", () => {
    expect(moved.people).toBe('email,name,role\nann@acme.example,"Ann ""A"", Lee",owner\n');
    expect(readPeopleFile(moved.people, [], true)).toMatchObject([
      { email: "ann@acme.example", name: 'Ann "A", Lee', role: "owner" },
    ]);
  });

  it("get drafts of their contacts, which they must verify, and of their notification rules", () => {
    const [draft] = parse(moved.contacts) as { person: string; contacts: object[]; notificationRules: unknown }[];

    expect(draft).toMatchObject({
      person: "ann@acme.example",
      contacts: [
        { way: "email", to: "ann@acme.example" },
        { way: "sms", to: "1-5550100" },
      ],
    });
    expect(v.parse(NotificationRulesInput, draft?.notificationRules).rungs.URGENT).toEqual([
      { afterMinutes: 0, ways: ["push"] },
      { afterMinutes: 5, ways: ["sms", "voice"] },
    ]);
  });

  it("are left out of groups if they are blocked, but are still counted", () => {
    expect(moved.draft.setUp.groups).toContainEqual({ name: "Ops", members: ["ann@acme.example"] });
    expect([
      readCounts(moved, "users"),
      readCounts(moved, "contact methods"),
      readCounts(moved, "notification steps"),
    ]).toEqual([
      [3, 1, 0, 2],
      [3, 2, 0, 1],
      [5, 3, 0, 2],
    ]);
    expect(moved.report).toContain("| User bob@acme.example | The user is blocked and is never notified. |");
  });
});

it("the imported people of PagerDuty have notification steps by urgency, and phone numbers with their country", () => {
  const moved = importFiles("pagerduty", {
    users: {
      users: [
        {
          id: "P1",
          name: "Ann",
          email: "ann@acme.example",
          role: "limited_user",
          contact_methods: [
            { id: "C1", type: "phone_contact_method", address: "5550100", country_code: 49 },
            { id: "C2", type: "push_notification_contact_method", address: "x" },
          ],
          notification_rules: [
            {
              urgency: "high",
              start_delay_in_minutes: 0,
              contact_method: { id: "C2", type: "push_notification_contact_method_reference" },
            },
            { urgency: "high", start_delay_in_minutes: 3, contact_method: { id: "C1" } },
            { urgency: "low", start_delay_in_minutes: 90, contact_method: { id: "C1" } },
          ],
        },
      ],
    },
  });

  expect(moved.people).toBe("email,name,role\nann@acme.example,Ann,responder\n");
  expect(moved.contacts).toContain('to: "+495550100"');
  // A step after 90 minutes is more than personal rules allow, so all of the person's steps are left out, and named.
  expect(listRemarks({ ...moved }, "left")).toEqual([]);
  expect(moved.report).toContain(
    "| User ann@acme.example: notification steps | These steps cannot be converted to notification steps: afterMinutes",
  );
  expect([readCounts(moved, "contact methods"), readCounts(moved, "notification steps")]).toEqual([
    [2, 1, 0, 1],
    [3, 0, 0, 3],
  ]);
});

it('a notification step of Grafana OnCall comes after the sum of the waits before it; "important" steps become URGENT steps', () => {
  const step = (type: string, position: number, more: object = {}) => ({ user_id: "U1", type, position, ...more });
  const moved = importFiles("oncall", {
    users: [
      { id: "U1", email: "ann@acme.example", username: "ann", role: "admin" },
      { id: "U2", username: "bot" },
    ],
    personal_notification_rules: [
      step("wait", 1, { duration: 300 }),
      step("notify_by_sms", 2),
      step("notify_by_mobile_app", 0),
      step("notify_by_slack", 3),
      step("wait", 4, { duration: 120 }),
      step("notify_by_email", 5),
      step("notify_by_phone_call", 0, { important: true }),
    ],
  });
  const [draft] = parse(moved.contacts) as { notificationRules: unknown }[];

  expect(v.parse(NotificationRulesInput, draft?.notificationRules).rungs).toMatchObject({
    HIGH: [
      { afterMinutes: 0, ways: ["push"] },
      { afterMinutes: 5, ways: ["sms"] },
      { afterMinutes: 7, ways: ["email"] },
    ],
    URGENT: [{ afterMinutes: 0, ways: ["voice"] }],
  });
  expect([readCounts(moved, "users"), readCounts(moved, "notification steps")]).toEqual([
    [2, 1, 0, 1],
    [5, 4, 0, 1],
  ]);
});

describe("events that no imported rule matches", () => {
  const createFiles = (role: string) => ({
    users: [
      { id: "u-1", username: "ann@acme.example", role: { name: role } },
      { id: "u-2", username: "bob@acme.example", role: { name: "User" } },
    ],
    "teams/ops": { id: "t", name: "Ops", members: [{ user: { username: "bob@acme.example" } }] },
  });
  const listFallbackRules = (role: string) =>
    importFiles("opsgenie", createFiles(role)).draft.setUp.rules.filter(({ fallback }) => fallback);

  it.each(["Owner", "Admin"])("notify the owners, or else the administrators, by one fallback rule (%s)", (role) => {
    const moved = importFiles("opsgenie", createFiles(role));

    expect(listFallbackRules(role)).toMatchObject([
      {
        name: "Alerts that no other rule matches",
        eventKey: "*",
        groups: ["Owners"],
        requiresAck: true,
        chain: null,
      },
    ]);
    expect(moved.draft.setUp.groups).toContainEqual({ name: "Owners", members: ["ann@acme.example"] });
  });

  it("have no recipient if the export has no owner, and the report says so", () => {
    expect(listFallbackRules("User")).toEqual([]);
    expect(importFiles("opsgenie", createFiles("User")).report).toMatch(
      /\| Owners \| The export does not say who owns/,
    );
  });
});
