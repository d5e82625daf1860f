import { expect, it } from "vitest";
import { importExport } from "../../../setup/import/import-export.ts";
import { countItems } from "../../../setup/import/report.ts";

/* The numbers in the report add up to the items in the export. */

const FROM = Date.parse("2026-03-16T00:00:00Z");
const createMany = <Thing>(count: number, make: (index: number) => Thing): Thing[] =>
  Array.from({ length: count }, (_, index) => make(index));
const addressOf = (index: number) => `person-${index}@acme.example`;

/** An account as large as the largest that customers move. Some items of each kind are unusual. */
const opsgenie = {
  users: createMany(120, (index) => ({
    user: {
      id: `u${index}`,
      username: index % 40 === 39 ? `no address ${index}` : addressOf(index),
      fullName: `Person ${index}`,
      role: { name: index === 0 ? "Owner" : "User" },
      blocked: index % 30 === 29,
      userContacts: createMany(index % 4, (one) => ({ contactMethod: ["email", "sms", "voice"][one], to: `${one}` })),
    },
    notificationRuleList: [
      {
        actionType: "create-alert",
        steps: createMany(2, (one) => ({ contact: { method: ["mobile", "sms"][one] }, sendAfter: one })),
      },
    ],
  })),
  teams: createMany(25, (index) => ({
    id: `t${index}`,
    name: `Team ${index}`,
    members: createMany(5, (one) => ({ user: { id: `u${index + one}` } })),
    routingRules: [
      ...createMany(4, (one) => ({
        name: one % 2 === 0 ? "Same name" : null,
        order: one,
        criteria: {
          type: "match-all-conditions",
          conditions: [
            { field: "priority", operation: "equals", expectedValue: "P1" },
            ...(one === 1 ? [{ field: "priority", operation: "equals", expectedValue: "P4" }] : []),
            ...(one === 2 ? [{ field: "actions", operation: "contains", expectedValue: "x" }] : []),
          ],
        },
        notify: one === 3 ? { type: "none" } : { type: "escalation", id: `e${index % 12}` },
      })),
      { isDefault: true, notify: { type: "schedule", id: index === 7 ? "gone" : `s${index % 15}` } },
      { order: "wrong" },
    ],
  })),
  schedules: createMany(15, (index) => ({
    id: `s${index}`,
    name: `Schedule ${index}`,
    timezone: index === 13 ? "Nowhere" : "Europe/Berlin",
    enabled: index % 5 !== 4,
    rotations: [
      {
        startDate: "2026-01-05T09:00:00Z",
        type: "weekly",
        participants: createMany(3, (one) => ({ type: "user", id: `u${index + one}` })),
      },
    ],
    overrides: createMany(2, (one) => ({
      user: { type: "user", id: "u1" },
      startDate: `2026-0${one + 2}-20T00:00:00Z`,
      endDate: `2026-0${one + 2}-21T00:00:00Z`,
    })),
  })),
  escalations: createMany(12, (index) => ({
    id: `e${index}`,
    name: `Escalation ${index % 6}`,
    rules: createMany(3, (one) => ({
      delay: one * 5,
      notifyType: one === 1 ? "next" : "default",
      recipient: index === 11 ? { type: "user", id: "gone" } : { type: "schedule", id: `s${index}` },
    })),
  })),
  integrations: createMany(23, (index) => ({
    name: `Integration ${index % 20}`,
    type: ["API", "CloudWatch", "Nagios", "Prometheus"][index % 4],
    enabled: index % 11 !== 10,
    ownerTeam: { id: `t${index}` },
    suppressNotifications: index === 4,
  })),
  heartbeats: createMany(6, (index) => ({ name: `Heartbeat ${index}` })),
  policiesV2: createMany(9, (index) => ({ name: `Policy ${index}` })),
};

const pagerduty = {
  users: createMany(80, (index) => ({
    id: `U${index}`,
    email: index === 79 ? "wrong" : addressOf(index),
    name: `Person ${index}`,
    teams: [{ id: `T${index % 8}` }],
    contact_methods: createMany(3, (one) => ({
      id: `C${one}`,
      type: ["email", "sms", "push_notification"][one] + "_contact_method",
      address: "1",
    })),
    notification_rules: createMany(2, (one) => ({
      urgency: "high",
      start_delay_in_minutes: one * 5,
      contact_method: { id: `C${one}` },
    })),
  })),
  teams: createMany(9, (index) => ({ id: `T${index}`, name: `Team ${index}` })),
  schedules: createMany(10, (index) => ({
    id: `S${index}`,
    name: `Schedule ${index % 7}`,
    time_zone: "UTC",
    ...(index === 9
      ? {}
      : {
          schedule_layers: [
            {
              start: "2026-01-05T09:00:00Z",
              rotation_virtual_start: "2026-01-05T09:00:00Z",
              rotation_turn_length_seconds: index === 8 ? -1 : 604_800,
              users: [{ user: { id: `U${index}` } }],
            },
          ],
        }),
  })),
  escalation_policies: createMany(12, (index) => ({
    id: `E${index}`,
    name: `Policy ${index}`,
    escalation_rules: [
      {
        escalation_delay_in_minutes: 5,
        targets: index === 11 ? [] : [{ id: `S${index % 8}`, type: "schedule_reference" }],
      },
    ],
  })),
  services: createMany(40, (index) => ({
    id: `V${index}`,
    name: `Service ${index % 30}`,
    status: index % 9 === 8 ? "disabled" : "active",
    escalation_policy: { id: `E${index % 13}` },
    integrations: createMany(2, (one) => ({
      id: `I${index}${one}`,
      name: `In ${one}`,
      type:
        ["events_api_v2", "generic_email", "aws_cloudwatch", "generic_events_api"][(index + one) % 4] +
        "_inbound_integration",
    })),
  })),
  orchestration_path: {
    type: "router",
    parent: { id: "O" },
    sets: [
      {
        id: "start",
        rules: createMany(20, (index) => ({
          label: `Rule ${index % 15}`,
          disabled: index === 3,
          conditions: [{ expression: index === 5 ? "odd" : `event.summary matches '${index}'` }],
          actions: { route_to: `V${index}` },
        })),
      },
    ],
  },
};

const countImported = (source: string, things: Readonly<Record<string, unknown>>) => {
  const { draft } = importExport(
    source,
    Object.entries(things).map(([kind, value]) => ({ path: `${kind}.json`, text: JSON.stringify({ [kind]: value }) })),
    FROM,
  );
  const said = new Set(draft.remarks.flatMap(({ kind, what }) => (kind === "taken" || kind === "left" ? [what] : [])));
  expect(draft.found.filter(({ what }) => !said.has(what))).toEqual([]);
  const counts = countItems(draft.found, draft.remarks);
  for (const { found, taken, left } of counts) expect(taken + left).toBe(found);
  return Object.fromEntries(counts.map(({ kind, found, taken }) => [kind, [found, taken]]));
};

it("the report of an import counts as many items of an Opsgenie account as the export contains", () => {
  expect(countImported("opsgenie", opsgenie)).toEqual({
    users: [120, 114],
    "contact methods": [180, 166],
    "notification steps": [240, 228],
    teams: [25, 25],
    schedules: [15, 11],
    overrides: [30, 11],
    escalations: [12, 9],
    "routing rules": [150, 45],
    integrations: [23, 16],
    policies: [9, 0],
    heartbeats: [6, 0],
  });
});

it("the report of an import counts as many items of a PagerDuty account as the export contains", () => {
  expect(countImported("pagerduty", pagerduty)).toEqual({
    users: [80, 79],
    "contact methods": [237, 158],
    "notification steps": [158, 158],
    teams: [9, 8],
    schedules: [10, 8],
    "escalation policies": [12, 11],
    services: [40, 34],
    integrations: [80, 34],
    "orchestration paths": [1, 1],
    "orchestration rules": [20, 18],
  });
});

it("the report of an import counts an item as different only if the item was imported", () => {
  const found = ["a", "b", "c"].map((what, index) => ({ kind: "rules", what, count: index + 1 }));
  const remarks = ["taken a", "different a", "taken b", "different c", "left c"].map((text) => {
    const [kind, what = ""] = text.split(" ");
    return { kind: kind as "taken" | "different" | "left", what, why: "" };
  });

  expect(countItems(found, remarks)).toEqual([{ kind: "rules", found: 6, taken: 3, different: 1, left: 3 }]);
});
