import type * as v from "valibot";
import type { RuleInput } from "../../core/domain/rules/rule-input.ts";

/* The demo workspace's groups, rotations, rules and policies, by name. Seeding replaces names by ids. */

/** People without a phone show how the service reports people that it cannot reach. */
export const withPhone = new Set(["Dora", "Dan", "Lena", "Omar", "Priya"]);

export const groups: Readonly<Record<string, readonly string[]>> = {
  Platform: ["Dora", "Dan", "Omar", "Sam"],
  Payments: ["Lena", "Dora", "Priya"],
  Support: ["Priya", "Yuki", "Dan"],
  Everybody: ["Dora", "Dan", "Lena", "Omar", "Priya", "Sam", "Yuki"],
};

/** Outside of working hours, nobody in Support is on call. */
export const rotations: Readonly<Record<string, { timeZone: string; layers: readonly Rotation[] }>> = {
  Platform: { timeZone: "Europe/Berlin", layers: [{ every: 1, unit: "week", people: ["Dora", "Dan", "Omar"] }] },
  Payments: { timeZone: "Europe/Berlin", layers: [{ every: 1, unit: "day", people: ["Lena", "Dora", "Priya"] }] },
  Support: {
    timeZone: "America/New_York",
    layers: [
      {
        every: 1,
        unit: "week",
        people: ["Priya", "Yuki", "Dan"],
        restrictions: [{ days: ["mon", "tue", "wed", "thu", "fri"], from: "08:00", to: "20:00" }],
      },
    ],
  },
};
type Rotation = {
  every: number;
  unit: "day" | "week";
  people: readonly string[];
  restrictions?: readonly { days: readonly string[]; from: string; to: string }[];
};

type RuleSketch = {
  name: string;
  eventKey: string;
  groups: readonly string[];
  policy?: string;
  rest?: Partial<v.InferInput<typeof RuleInput>>;
};
const createAboveCondition = (field: string, value: number) => ({ field, operator: "greater_than" as const, value });
const createEqualCondition = (field: string, value: string) => ({ field, operator: "equals" as const, value });
export const rules: readonly RuleSketch[] = [
  {
    name: "Failed orders",
    eventKey: "order.failed",
    groups: ["Payments"],
    policy: "Payments, then all",
    rest: { requiresAck: true, onCallOnly: true },
  },
  {
    name: "Big orders",
    eventKey: "order.created",
    groups: ["Payments"],
    rest: { conditions: [createAboveCondition("data.amount", 1000)] },
  },
  {
    name: "Payments down",
    eventKey: "payment.*",
    groups: ["Payments", "Platform"],
    policy: "Payments, then all",
    rest: {
      requiresAck: true,
      onCallOnly: true,
      conditions: [createAboveCondition("data.error_rate", 5)],
      priorityOverride: "URGENT",
    },
  },
  {
    name: "Refunds to review",
    eventKey: "refund.requested",
    groups: ["Support"],
    rest: { requiresAck: true, conditions: [createAboveCondition("data.amount", 200)] },
  },
  {
    name: "Checkout is slow",
    eventKey: "checkout.slow",
    groups: ["Platform"],
    policy: "Platform on call",
    rest: { requiresAck: true, onCallOnly: true, conditions: [createAboveCondition("data.p95_ms", 2000)] },
  },
  {
    name: "Disks",
    eventKey: "disk.*",
    groups: ["Platform"],
    policy: "Platform on call",
    rest: { requiresAck: true, onCallOnly: true },
  },
  { name: "Deployments", eventKey: "deploy.*", groups: ["Platform"], rest: { priorityOverride: "LOW" } },
  {
    name: "Failed deployments",
    eventKey: "deploy.failed",
    groups: ["Platform"],
    rest: { requiresAck: true, onCallOnly: true },
  },
  { name: "Backups", eventKey: "backup.failed", groups: ["Platform"], rest: { requiresAck: true } },
  {
    name: "Tickets of gold customers",
    eventKey: "ticket.opened",
    groups: ["Support"],
    rest: { conditions: [createEqualCondition("data.customer.tier", "gold")], groupBy: ["eventKey"], groupMinutes: 30 },
  },
  {
    name: "Everything urgent",
    eventKey: "*",
    groups: ["Everybody"],
    rest: { conditions: [createEqualCondition("priority", "URGENT")] },
  },
  {
    name: "Certificates",
    eventKey: "certificate.expiring",
    groups: ["Platform"],
    rest: { requiresAck: true, enabled: false },
  },
];

/** The first step of a policy notifies `group`, and its other steps notify everybody. `minutes`: the delays of the steps. */
export const policies: readonly { name: string; group: string; repeat: number; minutes: readonly number[] }[] = [
  { name: "Platform on call", group: "Platform", repeat: 1, minutes: [10, 15] },
  { name: "Payments, then all", group: "Payments", repeat: 0, minutes: [15, 15] },
];
