import { describe, expect, it } from "vitest";
import type { DeviceId, WorkspaceId } from "../../../../core/domain/basics/ids.ts";
import { SHADOW_PAGES_MAX } from "../../../../core/domain/basics/limits.ts";
import type { Device } from "../../../../core/domain/device/device.ts";
import { createEmptyRules, type NotificationStep } from "../../../../core/domain/people/notification-rules.ts";
import { toDeliveryPlan } from "../../../../core/domain/planning/plan-delivery.ts";
import type { PlannedDelivery } from "../../../../core/domain/planning/planned-delivery.ts";
import { planShadowEvent, renameGroupsForShadow } from "../../../../core/domain/planning/shadow.ts";
import type { FrozenPolicy } from "../../../../core/domain/escalation/escalation-policy.ts";
import { aPeople, aRule, NOON, people, to } from "../support.ts";

const content = { eventKey: "order.failed", title: "Order failed", body: "No stock", priority: "HIGH" as const };
const event = { workspaceId: "ws_1" as WorkspaceId, eventId: "evt_1", seq: 1, content };
const versions = { rulesVersion: 1, peopleVersion: 1 };

const device = (id: string, email?: string): Device => ({
  id: id as DeviceId,
  token: `token of ${id}`,
  platform: email === undefined ? "ios" : "email",
  name: null,
  createdAt: "2026-11-01T00:00:00.000Z",
  registeredAt: "2026-11-01T00:00:00.000Z",
  ...(email === undefined ? {} : { email }),
});
const devices = new Map([
  ["usr_ann", [device("dev_ann")]],
  ["usr_cat", [device("dev_cat_1"), device("dev_cat_2")]],
]);

const planRules = (rules: Parameters<typeof toDeliveryPlan>[0], notifiedPeople = people): PlannedDelivery => ({
  plan: toDeliveryPlan(rules, content, notifiedPeople, versions, NOON),
  called: 1,
  needsAck: rules.some(({ requiresAck }) => requiresAck),
  overBudget: [],
  gates: [],
});

/** Returns the planned pages of rules in a shadow, with times in minutes after noon. */
const pagesOf = (rules: Parameters<typeof toDeliveryPlan>[0], notifiedPeople = people, deviceMap = devices) => {
  const { plan } = planShadowEvent(event, planRules(rules, notifiedPeople), {
    people: notifiedPeople,
    devices: deviceMap,
  });
  return plan.shadow?.pages.map((page) => ({ ...page, at: (page.at - NOON) / 60_000 }));
};
const page = (userId: string, at: number, ids: readonly string[], fields: object = {}) => ({
  userId,
  at,
  rule: 0,
  step: 0,
  devices: ids.map((id) => ({ id, by: "fcm" })),
  ...fields,
});
const escalating = aRule({ targets: to("grp_ops"), requiresAck: true, escalationPolicyId: "pol_ladder" });

describe("the plan of an event during a shadow", () => {
  it("lists one page for each person that a rule notifies, with every device of that person, and nobody else", () => {
    expect(pagesOf([aRule({ targets: to("grp_lead") })])).toEqual([page("usr_cat", 0, ["dev_cat_1", "dev_cat_2"])]);
  });

  it("lists a person without devices with an empty list of devices", () => {
    expect(pagesOf([aRule()])).toEqual([page("usr_ann", 0, ["dev_ann"]), page("usr_bob", 0, [])]);
  });

  it("lists the steps of each rule's escalation at their own times, numbered from 1", () => {
    const policy: FrozenPolicy = {
      id: "pol_ladder",
      name: "Ladder",
      repeat: 1,
      steps: [
        { delayMinutes: 5, targets: [{ type: "user", userId: "usr_cat" }] },
        { delayMinutes: 10, targets: [{ type: "user", userId: "usr_ann" }] },
      ],
    };
    const who = { ...people, policies: new Map([["pol_ladder", policy]]) };
    const both = [aRule({ id: "rule_0", targets: to("grp_lead") }), escalating];
    const cat = ["dev_cat_1", "dev_cat_2"];

    expect(pagesOf(both, who)).toEqual([
      page("usr_cat", 0, cat),
      page("usr_ann", 0, ["dev_ann"], { rule: 1 }),
      page("usr_bob", 0, [], { rule: 1 }),
      page("usr_cat", 5, cat, { rule: 1, step: 1 }),
      page("usr_ann", 15, ["dev_ann"], { rule: 1, step: 2 }),
      page("usr_cat", 20, cat, { rule: 1, step: 3 }),
      page("usr_ann", 30, ["dev_ann"], { rule: 1, step: 4 }),
    ]);
  });

  it("escalates at once if none of a rule's people has a device", () => {
    expect(pagesOf([escalating], people, new Map([["usr_cat", [device("dev_cat")]]]))).toEqual([
      page("usr_ann", 0, []),
      page("usr_bob", 0, []),
      page("usr_cat", 0, ["dev_cat"], { step: 1 }),
    ]);
  });

  it("assumes that devices confirm, so that no step fires early because a confirmation is missing", () => {
    const policy = { ...people.policies.get("pol_ladder")!, confirmWithinSeconds: 60 };
    const who = { ...people, policies: new Map([["pol_ladder", policy]]) };
    expect(pagesOf([escalating], who)?.find(({ step }) => step === 1)?.at).toBe(5);
  });

  it("lists the pages of a person's notification steps in chronological order", () => {
    const step = (afterMinutes: number, ...ways: NotificationStep["ways"]): NotificationStep => ({
      afterMinutes,
      ways,
    });
    const rungs = {
      ...createEmptyRules("usr_ann").rungs,
      HIGH: [step(0, "push"), step(7, "email"), step(20, "push", "email")],
    };
    const who = { ...people, notificationRules: new Map([["usr_ann", { ...createEmptyRules("usr_ann"), rungs }]]) };
    const own = new Map([["usr_ann", [device("dev_ann"), device("dev_mail", "ann@acme.example")]]]);
    const email = { id: "dev_mail", by: "email" };

    expect(pagesOf([escalating], who, own)?.filter(({ userId }) => userId === "usr_ann")).toEqual([
      page("usr_ann", 0, ["dev_ann"]),
      { ...page("usr_ann", 7, []), devices: [email] },
      { ...page("usr_ann", 20, ["dev_ann"]), devices: [{ id: "dev_ann", by: "fcm" }, email] },
    ]);
  });

  it("lists the pages of two people's notification steps, and of two rules' escalations, in chronological order", () => {
    const ownRules = (userId: string, minutes: number) => {
      const HIGH: NotificationStep[] = [{ afterMinutes: minutes, ways: ["push"] }];
      return [userId, { ...createEmptyRules(userId), rungs: { ...createEmptyRules(userId).rungs, HIGH } }] as const;
    };
    const who = { ...people, notificationRules: new Map([ownRules("usr_ann", 9), ownRules("usr_bob", 4)]) };
    const all = new Map([...devices, ["usr_bob", [device("dev_bob")]] as const]);

    expect(
      pagesOf([escalating, { ...escalating, id: "rule_2" }], who, all)?.map(({ userId, at }) => [userId, at]),
    ).toEqual([
      ["usr_bob", 4],
      ["usr_bob", 4],
      ["usr_cat", 5],
      ["usr_cat", 5],
      ["usr_ann", 9],
      ["usr_ann", 9],
    ]);
  });

  it("asks nobody to acknowledge, but stores whether the real plan would have asked", () => {
    for (const [rule, asks] of [
      [aRule(), false],
      [escalating, true],
    ] as const) {
      const made = planShadowEvent(event, planRules([rule]), { people, devices });
      expect(made.needsAck).toBe(false);
      expect(made.plan.shadow?.asks).toBe(asks);
    }
  });

  it("leaves out the notification that an alert is held back, and the updates of webhooks and chat channels", () => {
    const made: PlannedDelivery = {
      ...planRules([aRule()]),
      hold: { heldBy: "sil_1", until: NOON + 1, says: [{ userId: "usr_ann", reason: { groupId: "grp_ops" } }] },
    };
    expect(planShadowEvent(event, made, { people, devices }).hold).toEqual({ heldBy: "sil_1", until: NOON + 1 });
    expect(planShadowEvent(event, planRules([aRule()]), { people, devices }).hold).toBeUndefined();
    const { plan } = planShadowEvent(
      event,
      { ...made, plan: { ...made.plan, followed: true, rooms: [] } },
      { people, devices },
    );
    expect(Object.keys(plan).toSorted()).toEqual(["at", "peopleVersion", "rules", "rulesVersion", "shadow"]);
  });

  it("lists a limited number of pages, and says how many more there were", () => {
    const ids = Array.from({ length: SHADOW_PAGES_MAX + 3 }, (_, index) => `usr_${index}`);
    const many = aPeople({ members: Object.fromEntries(ids.map((id) => [id, id])), groups: { grp_ops: ids } });
    const made = planShadowEvent(event, planRules([aRule()], many), { people: many, devices: new Map() });
    expect(made.plan.shadow?.pages).toHaveLength(SHADOW_PAGES_MAX);
    expect(made.plan.shadow?.omitted).toBe(3);
    expect(made.plan.shadow?.pages.every(({ devices: paged }) => paged.length === 0)).toBe(true);
  });
});

describe("the groups and thresholds of an event during a shadow", () => {
  it("are stored under separate names, so that they suppress no later event", () => {
    const gate = { name: "rule_1 order" } as PlannedDelivery["gates"][number]["gate"];
    expect(renameGroupsForShadow({ ...planRules([aRule()]), gates: [{ rule: 2, gate }] }).gates).toEqual([
      { rule: 2, gate: { name: "shadow rule_1 order" } },
    ]);
  });
});
